from .loader import create_loader, PrefetchLoader
from .mixup import Mixup
from .dataset import create_dataset
