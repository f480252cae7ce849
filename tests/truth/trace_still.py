"""Does the machine hold still? A virtual machine's cores are shared with others, who are not seen.

    python3 tests/truth/trace_still.py [SECONDS] [--launches SECONDS]

One thread counts for 10 ms at a time, on one CPU after the other, with nothing else running. A row a CPU: the slowest
tenth, the middle and the fastest tenth of its counts, in thousands a millisecond; last all of them. With --launches (a GPU
and torch) the same of a loop that only launches: microseconds an operation, on four of the CPUs, in blocks of 200, and how
far one tenth of a second is from the next.
"""
import argparse
import os
import statistics
import time

ROUND_S, CPUS = 0.01, 8


def count():
    begin = now = time.perf_counter()
    turns, number = 0, 1
    while now < begin + ROUND_S:
        for _ in range(500):
            number = number * 1103515245 % 2147483647
        turns += 500
        now = time.perf_counter()
    return turns / (now - begin) / 1e6


def row(name, counts):
    counts = sorted(counts)
    tenth = len(counts) // 10
    print(f"{name}\t{counts[tenth]:.1f}\t{counts[len(counts) // 2]:.1f}\t{counts[-1 - tenth]:.1f}", flush=True)


def blocks_of(torch, tensor, seconds):
    """Microseconds an operation, a block after the other."""
    took, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(200):
            tensor.add_(1)
        took.append((time.perf_counter() - begin) * 5000)
        torch.cuda.synchronize()
    return took


def launches(seconds, cpus):
    import torch
    tensor = torch.zeros(64, device="cuda")
    blocks_of(torch, tensor, 0.5)
    print("launches\tquick\tmiddle\tslow\tapart")
    for cpu in cpus[1::max(1, len(cpus) // 4)][:4]:
        os.sched_setaffinity(0, {cpu})
        took = blocks_of(torch, tensor, seconds / 4)
        tenths = [statistics.fmean(took[at:at + 50]) for at in range(0, len(took) - 49, 50)]
        apart = statistics.median(abs(b / a - 1) for a, b in zip(tenths, tenths[1:])) if len(tenths) > 2 else 0
        took.sort()
        tenth = len(took) // 10
        print(f"{cpu}\t{took[tenth]:.2f}\t{took[len(took) // 2]:.2f}\t{took[-1 - tenth]:.2f}\t{apart:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", nargs="?", type=float, default=4)
    parser.add_argument("--launches", type=float, default=0)
    args = parser.parse_args()
    seconds = args.seconds
    cpus = sorted(os.sched_getaffinity(0))
    every = []
    print("cpu\tslow\tmiddle\tfast")
    for cpu in cpus[::max(1, len(cpus) // CPUS)][:CPUS]:
        os.sched_setaffinity(0, {cpu})
        counts = [count() for _ in range(max(10, int(seconds / CPUS / ROUND_S)))]
        row(cpu, counts)
        every += counts
    row("all", every)
    if args.launches:
        launches(args.launches, cpus)


if __name__ == "__main__":
    main()
