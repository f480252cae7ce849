"""Which of a virtual machine's CPUs share a core? It may not say so; two that do slow each other down.

    python3 tests/truth/trace_cores.py > cores.tsv        on a machine that does nothing else

One thread counts on a CPU while another does on each of the others in turn; then some count side by side. The first line
is what trace_loops.py takes as SIBLINGS: how far the CPUs of a core are apart, 0 where none was found.
"""
import ctypes
import multiprocessing
import os
import statistics
import sys
import time

ROUND_S, SHARES, PARTS = 0.012, 0.8, 3


def count(cpu, ready, until, result, at):
    os.sched_setaffinity(0, {cpu})
    ready.wait()
    turns, number = 0, 1
    while time.monotonic() < until.value:
        for _ in range(200):
            number = number * 1103515245 % 2147483647
        turns += 1
    result[at] = turns


def side_by_side(cpus):
    """Turns of each in the same ROUND_S."""
    ready = multiprocessing.Barrier(len(cpus) + 1)
    until, result = multiprocessing.Value(ctypes.c_double, 0, lock=False), multiprocessing.Array(ctypes.c_long, len(cpus))
    children = [multiprocessing.Process(target=count, args=(cpu, ready, until, result, at)) for at, cpu in enumerate(cpus)]
    for child in children:
        child.start()
    until.value = time.monotonic() + 3600
    while ready.n_waiting < len(cpus):
        time.sleep(0.001)
    until.value = time.monotonic() + ROUND_S
    ready.wait()
    for child in children:
        child.join()
    return list(result)


def partner(cpu, cpus):
    """The CPU that slows this one down most, and to what share of what it does beside others."""
    beside = {other: min(side_by_side([cpu, other])[0] for _ in range(2)) for other in cpus if other != cpu}
    usual = statistics.median(beside.values())
    most = min(beside, key=beside.get)
    return most, beside[most] / usual


def main():
    cpus = sorted(os.sched_getaffinity(0))
    found = []
    for cpu in cpus[::max(1, len(cpus) // PARTS)][:PARTS]:
        most, share = partner(cpu, cpus)
        found.append((cpu, most, share))
    apart = {abs(most - cpu) for cpu, most, share in found if share < SHARES}
    print(apart.pop() if len(apart) == 1 and all(share < SHARES for _, _, share in found) else 0)
    for cpu, most, share in found:
        print(f"{cpu}\t{most}\t{share:.2f}")
    side = 1
    while side <= len(cpus):
        counts = side_by_side(cpus[:side])
        print(f"{side} side by side\t{min(counts)}\t{statistics.median(counts):.0f}\t{max(counts)}")
        side *= 2


if __name__ == "__main__":
    sys.exit(main())
