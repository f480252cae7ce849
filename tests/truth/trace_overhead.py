"""What recording a trace adds to the host's time: small loops with and without the profiler, in turn.

    python3 tests/truth/trace_overhead.py OUT.tsv     on a machine with a GPU and torch

Each row: what runs, how often it is recorded in one turn (CUDA calls, operators, Python calls, by the trace itself), and
the median time of a turn without the profiler and in each of its modes.
"""
import json
import os
import statistics
import sys
import tempfile
import time

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile


def call(depth):
    return call(depth - 1) if depth else 0


def work():
    x = torch.zeros(64, 64, device="cuda")
    s = torch.zeros((), device="cuda")
    h = torch.zeros(64, 64)
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64)).cuda()
    conv = nn.Sequential(nn.Conv2d(4, 4, 3), nn.BatchNorm2d(4), nn.ReLU()).cuda()
    image = torch.zeros(2, 4, 16, 16, device="cuda")

    def backward(model, batch):
        model(batch).sum().backward()

    return {
        "launches": lambda: [x.add_(1) for _ in range(200)],
        "reads": lambda: [s.item() for _ in range(100)],
        "cpu operators": lambda: [h.t() for _ in range(300)],
        "small cpu operators": lambda: [h[0] for _ in range(300)],
        "python calls": lambda: [call(8) for _ in range(200)],
        "linear": lambda: [backward(net, x) for _ in range(10)],
        "convolution": lambda: [backward(conv, image) for _ in range(10)],
    }


def turn_us(run, turns):
    took = []
    for _ in range(turns):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        run()
        took.append((time.perf_counter() - begin) * 1e6)
    return statistics.median(took)


def recorded(run, activities, with_stack):
    """Median time of a turn, and what one turn recorded."""
    profiler = profile(activities=activities, with_stack=with_stack)
    with profiler:
        turn_us(run, 3)
        took = turn_us(run, 12)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profiler.export_chrome_trace(path)
        events = json.load(open(path))["traceEvents"]
    counts = {}
    for event in events:
        counts[event.get("cat")] = counts.get(event.get("cat"), 0) + (event.get("ph") == "X") / 15
    calls = counts.get("cuda_runtime", 0) + counts.get("cuda_driver", 0)
    return took, (calls, counts.get("cpu_op", 0), counts.get("python_function", 0))


def main():
    both = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with open(sys.argv[1], "w") as out:
        out.write("what\tround\tcalls\toperators\tpythons\tplain_us\tcuda_us\tcpu_us\tstack_us\n")
        runs = work()
        for run in runs.values():
            turn_us(run, 20)
        for turn in range(3):
            for what, run in runs.items():
                plain = turn_us(run, 15)
                cuda, _ = recorded(run, [ProfilerActivity.CUDA], False)
                cpu, _ = recorded(run, both, False)
                stack, counts = recorded(run, both, True)
                plain = (plain + turn_us(run, 15)) / 2
                numbers = [*counts, plain, cuda, cpu, stack]
                out.write(f"{what}\t{turn}\t" + "\t".join(f"{n:.1f}" for n in numbers) + "\n")
                out.flush()


if __name__ == "__main__":
    main()
