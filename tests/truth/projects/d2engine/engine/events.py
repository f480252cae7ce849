import datetime
import json
import logging
import os
import time
from collections import defaultdict
from contextlib import contextmanager
from typing import Dict, List, Tuple

import numpy as np
import torch

_CURRENT_STORAGE_STACK = []


def get_event_storage():
    assert len(_CURRENT_STORAGE_STACK), "get_event_storage() has to be called inside a 'with EventStorage(...)' context!"
    return _CURRENT_STORAGE_STACK[-1]


class HistoryBuffer:
    def __init__(self, max_length: int = 1000000):
        self._max_length = max_length
        self._data: List[Tuple[float, float]] = []
        self._count = 0
        self._global_avg = 0.0

    def update(self, value: float, iteration: float) -> None:
        if len(self._data) == self._max_length:
            self._data.pop(0)
        self._data.append((value, iteration))
        self._count += 1
        self._global_avg += (value - self._global_avg) / self._count

    def latest(self) -> float:
        return self._data[-1][0]

    def median(self, window_size: int) -> float:
        return float(np.median([x[0] for x in self._data[-window_size:]]))

    def avg(self, window_size: int) -> float:
        return float(np.mean([x[0] for x in self._data[-window_size:]]))


class EventStorage:
    def __init__(self, start_iter=0):
        self._history = defaultdict(HistoryBuffer)
        self._smoothing_hints: Dict[str, bool] = {}
        self._latest_scalars: Dict[str, Tuple[float, int]] = {}
        self._iter = start_iter
        self._current_prefix = ""

    def put_scalar(self, name, value, smoothing_hint=True):
        name = self._current_prefix + name
        history = self._history[name]
        value = float(value)
        history.update(value, self._iter)
        self._latest_scalars[name] = (value, self._iter)
        self._smoothing_hints[name] = smoothing_hint

    def put_scalars(self, *, smoothing_hint=True, **kwargs):
        for k, v in kwargs.items():
            self.put_scalar(k, v, smoothing_hint=smoothing_hint)

    def history(self, name):
        ret = self._history.get(name, None)
        if ret is None:
            raise KeyError("No history metric available for {}!".format(name))
        return ret

    def histories(self):
        return self._history

    def latest_with_smoothing_hint(self, window_size=20):
        result = {}
        for k, (v, itr) in self._latest_scalars.items():
            result[k] = (self._history[k].median(window_size) if self._smoothing_hints[k] else v, itr)
        return result

    @property
    def iter(self):
        return self._iter

    @iter.setter
    def iter(self, val):
        self._iter = int(val)

    @contextmanager
    def name_scope(self, name):
        old_prefix = self._current_prefix
        self._current_prefix = name.rstrip("/") + "/"
        yield
        self._current_prefix = old_prefix

    def __enter__(self):
        _CURRENT_STORAGE_STACK.append(self)
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        assert _CURRENT_STORAGE_STACK[-1] == self
        _CURRENT_STORAGE_STACK.pop()


class JSONWriter:
    def __init__(self, json_file, window_size=20):
        os.makedirs(os.path.dirname(json_file), exist_ok=True)
        self._file_handle = open(json_file, "a")
        self._window_size = window_size

    def write(self):
        storage = get_event_storage()
        to_save = {"iteration": storage.iter}
        for k, (v, _) in storage.latest_with_smoothing_hint(self._window_size).items():
            to_save[k] = v
        self._file_handle.write(json.dumps(to_save, sort_keys=True) + "\n")
        self._file_handle.flush()

    def close(self):
        self._file_handle.close()


class CommonMetricPrinter:
    def __init__(self, max_iter, window_size=20):
        self.logger = logging.getLogger("engine.events")
        self._max_iter = max_iter
        self._window_size = window_size
        self._last_write = None

    def _get_eta(self, storage):
        try:
            eta_seconds = storage.history("time").median(1000) * (self._max_iter - storage.iter - 1)
            return str(datetime.timedelta(seconds=int(eta_seconds)))
        except KeyError:
            return "N/A"

    def write(self):
        storage = get_event_storage()
        iteration = storage.iter
        losses = "  ".join("{}: {:.4g}".format(k, v.median(self._window_size))
                           for k, v in storage.histories().items() if "loss" in k)
        lr = storage.history("lr").latest() if "lr" in storage.histories() else float("nan")
        max_mem_mb = torch.cuda.max_memory_allocated() / 1024.0 / 1024.0 if torch.cuda.is_available() else None
        self.logger.info(" eta: {}  iter: {}  {}  lr: {:.5g}  {}".format(
            self._get_eta(storage), iteration, losses, lr,
            "max_mem: {:.0f}M".format(max_mem_mb) if max_mem_mb is not None else ""))

    def close(self):
        pass
