from .hooks import EvalHook, HookBase, IterationTimer, LRHook, MetricPrinter, CheckpointHook
from .trainer import MoETrainer
