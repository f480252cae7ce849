from .events import EventStorage, get_event_storage, JSONWriter, CommonMetricPrinter
from .train_loop import HookBase, SimpleTrainer, AMPTrainer, TrainerBase
from . import hooks
