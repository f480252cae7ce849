# Article 004, "Healthy Run", and its context manager for unit tests.
from contextlib import contextmanager

import torch


def slow_operation(x):
    for _ in range(10):
        x = torch.tanh(x @ x)
    return x


def quick_operation(x, results, i):
    results[i] = (x > 0.5).sum()
    return results


@contextmanager
def fail_if_gpu_cpu_synchronization(fail: bool):
    new_mode = 2 if fail else 0
    old_mode = torch.cuda.get_sync_debug_mode()
    torch.cuda.set_sync_debug_mode(new_mode)
    try:
        yield
    finally:
        torch.cuda.set_sync_debug_mode(old_mode)


x = torch.randn(256, 256, device="cuda")
results = torch.zeros(5, device="cuda")
for i in range(5):
    y = slow_operation(x)
    quick_operation(y, results, i)

with fail_if_gpu_cpu_synchronization(fail=True):
    for _ in range(3):
        z = torch.arange(10, device="cuda") ** 2
