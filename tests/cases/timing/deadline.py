"""A clock that is only compared with a limit measures nothing: it decides when to stop."""
import time

import torch

model = torch.nn.Linear(512, 512).cuda()
x = torch.randn(64, 512, device="cuda")


def until(deadline):
    while time.time() < deadline:
        model(x) @ x.T


def for_seconds(seconds):
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        model(x) @ x.T


def within(seconds):
    start = time.perf_counter()
    model(x) @ x.T
    if (time.perf_counter() - start) / 60 > seconds:
        raise TimeoutError


def left_of(seconds):
    start = time.perf_counter()
    for _ in range(100):
        model(x) @ x.T
        taken = time.perf_counter() - start
        if taken > seconds:
            break


def best_of(rounds):
    best = 1e9
    for _ in range(rounds):
        start = time.perf_counter()
        model(x) @ x.T
        taken = time.perf_counter() - start  # sync: timer-unsynced
        if taken < best:
            best = taken
    return best


until(time.time() + 60)
for_seconds(60)
within(60)
left_of(60)
best_of(60)
