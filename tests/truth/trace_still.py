"""Does the machine hold still? A virtual machine's cores are shared with others, who are not seen.

    python3 tests/truth/trace_still.py [SECONDS]

One thread counts for 10 ms at a time, on one CPU after the other, with nothing else running. A row a CPU: the slowest
tenth, the middle and the fastest tenth of its counts, in thousands a millisecond; last all of them.
"""
import os
import sys
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


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4
    cpus = sorted(os.sched_getaffinity(0))
    every = []
    print("cpu\tslow\tmiddle\tfast")
    for cpu in cpus[::max(1, len(cpus) // CPUS)][:CPUS]:
        os.sched_setaffinity(0, {cpu})
        counts = [count() for _ in range(max(10, int(seconds / CPUS / ROUND_S)))]
        row(cpu, counts)
        every += counts
    row("all", every)


if __name__ == "__main__":
    main()
