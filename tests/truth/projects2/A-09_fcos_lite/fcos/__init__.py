from .config import get_cfg
from .model import FCOS
