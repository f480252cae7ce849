from .module import LitModule
from .trainer import Trainer
from .callbacks import Callback, EarlyStopping, LRMonitor, ModelCheckpoint, ProgressBar
