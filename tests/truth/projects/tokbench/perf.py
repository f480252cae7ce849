import json
import time
from collections import deque

import torch

PEAK_FLOPS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "V100": 125e12, "4090": 165e12}


def get_peak_flops():
    name = torch.cuda.get_device_name(0)
    for k, v in PEAK_FLOPS.items():
        if k in name:
            return v
    print(f"unknown GPU {name}, assuming A100 peak")
    return PEAK_FLOPS["A100"]


class ThroughputMeter:
    """CUDA-event based step timing, with a window for the smoothed numbers."""

    def __init__(self, tokens_per_step, flops_per_token, window=10):
        self.tokens, self.flops = tokens_per_step, flops_per_token
        self.peak = get_peak_flops()
        self.times = deque(maxlen=window)
        self.start_ev = torch.cuda.Event(enable_timing=True)
        self.end_ev = torch.cuda.Event(enable_timing=True)
        self.total_tokens = 0
        self.wall0 = time.time()

    def __enter__(self):
        self.start_ev.record()
        return self

    def __exit__(self, *exc):
        self.end_ev.record()
        torch.cuda.synchronize()
        self.times.append(self.start_ev.elapsed_time(self.end_ev) / 1e3)
        self.total_tokens += self.tokens

    def stats(self):
        dt = sum(self.times) / len(self.times)
        tps = self.tokens / dt
        return {"ms": dt * 1e3, "tok/s": tps, "mfu": 100 * tps * self.flops / self.peak,
                "wall_tok/s": self.total_tokens / (time.time() - self.wall0)}


class DeviceMemoryMonitor:
    def __init__(self):
        torch.cuda.reset_peak_memory_stats()

    def get(self):
        peak = torch.cuda.max_memory_reserved() / 2 ** 30
        active = torch.cuda.max_memory_allocated() / 2 ** 30
        torch.cuda.reset_peak_memory_stats()
        return {"mem_reserved_gib": peak, "mem_active_gib": active}


class JsonLogger:
    def __init__(self, path):
        self.f = open(path, "w")

    def log(self, step, **kw):
        self.f.write(json.dumps({"step": step, **{k: (v.item() if torch.is_tensor(v) else v) for k, v in kw.items()}}) + "\n")

    def close(self):
        self.f.close()
