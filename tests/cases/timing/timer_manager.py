"""Timers as context managers: the body runs between the readings, not before them."""
import contextlib
import time

import torch
import torch.nn as nn

model = nn.Linear(512, 512).cuda()
x = torch.randn(64, 512, device="cuda")
log = {}


@contextlib.contextmanager
def timed(name):
    start = time.perf_counter()
    yield
    log[name] = time.perf_counter() - start  # sync: timer-unsynced


@contextlib.contextmanager
def timed_right(name):
    torch.cuda.synchronize()
    start = time.perf_counter()
    yield
    torch.cuda.synchronize()
    log[name] = time.perf_counter() - start


@contextlib.contextmanager
def timed_host(name):
    start = time.perf_counter()
    yield
    log[name] = time.perf_counter() - start


class Stopwatch:
    def __enter__(self):
        self.start = time.time()
        return self

    def __exit__(self, *exc):
        self.elapsed = time.time() - self.start  # sync: timer-unsynced


class SyncedStopwatch:
    def __enter__(self):
        torch.cuda.synchronize()
        self.start = time.time()
        return self

    def __exit__(self, *exc):
        torch.cuda.synchronize()
        self.elapsed = time.time() - self.start


def main():
    model(x).sum().item()
    with timed("forward"):
        model(x)
    with timed_right("forward"):
        model(x)
    with timed_host("listing"):
        names = [name for name, _ in model.named_parameters()]
    with Stopwatch() as watch:
        model(x)
    with SyncedStopwatch() as exact:
        model(x)
    print(names, watch.elapsed, exact.elapsed)


main()


class Backend:
    def __init__(self, module):
        self.module = module


def now(backend):
    backend.module.synchronize()
    return time.perf_counter()


def through_a_backend(backend):
    began = now(backend)
    model(x)
    return now(backend) - began


through_a_backend(Backend(__import__("accelerator")))
