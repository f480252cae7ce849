from .hooks import EvalHook, HookBase, PeriodicWriter
from .train_loop import SimpleTrainer, TrainerBase
