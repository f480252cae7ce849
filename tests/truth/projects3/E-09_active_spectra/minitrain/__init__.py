from .callbacks import Callback, BestWeights, CSVLogger, EarlyStopping, GradientMonitor
from .registry import Registry
from .trainer import Trainer
