import functools
import logging
import time
from contextlib import contextmanager


def capture_init(init):
    """Decorate `__init__` with this, and you can then recover the *args and **kwargs passed to it"""
    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        init(self, *args, **kwargs)
        object.__setattr__(self, "_init_args_kwargs", (args, kwargs))
    return __init__


def copy_state(state):
    return {k: v.cpu().clone() for k, v in state.items()}


@contextmanager
def swap_state(model, state):
    old_state = copy_state(model.state_dict())
    model.load_state_dict(state)
    try:
        yield
    finally:
        model.load_state_dict(old_state)


def pull_metric(history, name):
    return [metrics[name] for metrics in history if name in metrics]


class LogProgress:
    """Sort of like tqdm but using log lines and not as real time."""

    def __init__(self, logger, iterable, updates=5, total=None, name="LogProgress"):
        self.iterable = iterable
        self.total = total or len(iterable)
        self.updates = updates
        self.name = name
        self.logger = logger

    def update(self, **infos):
        self._infos = infos

    def __iter__(self):
        self._iterator = iter(self.iterable)
        self._index = -1
        self._infos = {}
        self._begin = time.time()
        return self

    def __next__(self):
        self._index += 1
        try:
            value = next(self._iterator)
        except StopIteration:
            raise
        else:
            log_every = max(1, self.total // self.updates)
            if self._index >= 1 and self._index % log_every == 0:
                self._log()
            return value

    def _log(self):
        speed = self._index / (time.time() - self._begin)
        infos = " | ".join(f"{k.capitalize()} {v}" for k, v in self._infos.items())
        self.logger.info(f"{self.name} | {self._index}/{self.total} | {speed:.1f} it/sec | {infos}")


def bold(text):
    return "\033[1m" + text + "\033[0m"
