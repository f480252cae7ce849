from .registry import Registry, build_from_cfg
from .config import Config
from .log_buffer import LogBuffer
from .hooks import (HOOKS, Hook, CheckpointHook, EvalHook, IterTimerHook,
                    LrUpdaterHook, OptimizerHook, TextLoggerHook, EMAHook)
from .runner import Runner

__all__ = [
    'Registry', 'build_from_cfg', 'Config', 'LogBuffer', 'HOOKS', 'Hook',
    'CheckpointHook', 'EvalHook', 'IterTimerHook', 'LrUpdaterHook',
    'OptimizerHook', 'TextLoggerHook', 'EMAHook', 'Runner'
]
