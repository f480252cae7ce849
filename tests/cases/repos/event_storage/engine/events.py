import json
import logging
import time
from collections import defaultdict
from contextlib import contextmanager

import numpy as np
import torch

_STACK = []


def get_event_storage():
    assert len(_STACK), "get_event_storage() has to be called inside a 'with EventStorage(...)' context!"
    return _STACK[-1]


class HistoryBuffer:
    def __init__(self, max_length=1000000):
        self._max_length = max_length
        self._data = []
        self._count = 0
        self._global_avg = 0

    def update(self, value, iteration=None):
        if iteration is None:
            iteration = self._count
        if len(self._data) == self._max_length:
            self._data.pop(0)
        self._data.append((value, iteration))
        self._count += 1
        self._global_avg += (value - self._global_avg) / self._count

    def latest(self):
        return self._data[-1][0]

    def median(self, window_size):
        return np.median([x[0] for x in self._data[-window_size:]])


class EventStorage:
    def __init__(self, start_iter=0):
        self._history = defaultdict(HistoryBuffer)
        self._smoothing_hints = {}
        self._latest_scalars = {}
        self._vis_data = []
        self._iter = start_iter

    def put_image(self, img_name, img_tensor):
        self._vis_data.append((img_name, img_tensor, self._iter))

    def put_scalar(self, name, value, smoothing_hint=True):
        value = float(value)
        self._history[name].update(value, self._iter)
        self._latest_scalars[name] = (value, self._iter)

    def put_scalars(self, *, smoothing_hint=True, **kwargs):
        for k, v in kwargs.items():
            self.put_scalar(k, v, smoothing_hint=smoothing_hint)

    def latest(self):
        return self._latest_scalars

    def step(self):
        self._iter += 1

    @property
    def iter(self):
        return self._iter

    def __enter__(self):
        _STACK.append(self)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        _STACK.pop()


class CommonMetricPrinter:
    def __init__(self, max_iter, window=20):
        self.logger = logging.getLogger("evlib")
        self.max_iter = max_iter
        self.window = window

    def write(self):
        storage = get_event_storage()
        if torch.cuda.is_available():
            max_mem_mb = torch.cuda.max_memory_allocated() / 1024.0 / 1024.0
        else:
            max_mem_mb = None
        self.logger.info("iter: {}  {}  max_mem: {:.0f}M".format(storage.iter, "  ".join(
            "{}: {:.4g}".format(k, v.median(self.window)) for k, v in storage._history.items() if "loss" in k), max_mem_mb))
