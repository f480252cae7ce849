from .callbacks import EarlyStopping, ModelCheckpoint, ProgressBar, CSVLogger
from .data import build_datasets, collate
from .modeling import JointModel
from .trainer import Trainer

__version__ = "0.3.1"
