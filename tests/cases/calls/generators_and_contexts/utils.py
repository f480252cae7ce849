import contextlib
import time

import torch


@contextlib.contextmanager
def timed(name, log):
    torch.cuda.synchronize()  # sync: sync-for-timer
    start = time.perf_counter()
    yield
    torch.cuda.synchronize()  # sync: sync-for-timer
    log[name] = time.perf_counter() - start


class Scope:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        return self.model

    def __exit__(self, *exc):
        torch.cuda.current_stream().synchronize()  # sync: explicit-sync


def to_device(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(to_device(v, device) for v in batch)
    return batch


def prefetch(loader, device):
    for batch in loader:
        yield to_device(batch, device)
