#!/usr/bin/env python3
"""What a loop loses by its waits when nothing runs beside it, and what one recording says it loses.

    python3 tests/truth/record_plain.py OUT [--only NAME ...] [--runs 2] [--seconds 5]     on a machine with a GPU
    python3 tests/truth/record_plain.py --table OUT [--syncl build/syncl]

trace_loops.py switches the waits inside one process, a few steps at a time, between other processes; its steps were found to be up to a
tenth longer than those of a process that has the machine to itself. Here each side is a process of its own that trains on, as a user's
run does: full and -all take turns (as record_loops.py runs them), and the loop is recorded once between them. OUT gets NAME.tsv
(side, steps, us a step, of the second half of the time) and NAME/, the recording.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from record_loops import SYNCL, inside, record  # noqa: E402
from trace_changes import LOOPS, loop_source  # noqa: E402
from trace_loops import sets_of  # noqa: E402
from trace_table import predict  # noqa: E402


def without(name):
    """The loop's source with each of its waits out."""
    text = loop_source(LOOPS[name])
    for change, stands, left in LOOPS[name]["changes"]:
        if text.count(stands) != 1:
            raise SystemExit(f"{name}: {change} is {text.count(stands)} times in it")
        text = text.replace(stands, left)
    return text


def child(name, script, seconds):
    """Trains, and says how long a step of the optimizer's took once it had settled."""
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook
    ends = []

    def stepped(*_):
        ends.append(time.perf_counter())
        if ends[-1] - ends[0] > seconds:
            torch.cuda.synchronize()
            ends.append(time.perf_counter())
            half = ends[len(ends) // 2:]
            os.write(2, f"PLAIN {len(half)} {(half[-1] - half[0]) / (len(half) - 1) * 1e6:.1f}\n".encode())
            os._exit(0)

    register_optimizer_step_post_hook(stepped)
    inside(name, script)


def measure(name, out, runs, seconds):
    scripts = {}
    for side, text in (("full", loop_source(LOOPS[name])), ("-all", without(name))):
        scripts[side] = os.path.join(out, f"{name}{'.without' * (side == '-all')}.py")
        with open(scripts[side], "w") as file:
            file.write(text)
    with open(os.path.join(out, name + ".tsv"), "w") as rows:
        for run in range(runs):
            for side in ("full", "-all") if run % 2 == 0 else ("-all", "full"):
                said = subprocess.run([sys.executable, __file__, "--child", name, scripts[side], "--seconds", str(seconds)],
                                      capture_output=True, text=True, timeout=seconds + 60)
                line = [line.split() for line in said.stderr.splitlines() if line.startswith("PLAIN ")]
                rows.write("\t".join([side, *(line[0][1:] if line else ["0", said.stderr.strip().splitlines()[-1]])]) + "\n")
                rows.flush()
            if run == 0 and not os.path.isdir(os.path.join(out, name)):
                record(name, out)


def table(out, syncl):
    print("loop\tfull_us\twithout_us\tlost_us\tspread_us\trecorded_us\trange\tratio")
    for name in LOOPS:
        path = os.path.join(out, name + ".tsv")
        if not os.path.exists(path):
            continue
        rows = [line.rstrip("\n").split("\t") for line in open(path)]
        us = {side: [float(row[2]) for row in rows if row[0] == side and row[1] != "0"] for side in ("full", "-all")}
        if not all(us.values()):
            print(f"{name}\tnot measured: {rows[-1][-1]}")
            continue
        full, plain = (statistics.mean(us[side]) for side in ("full", "-all"))
        spread = max(max(values) - min(values) for values in us.values())
        sets = sets_of(LOOPS[name])
        said, why = predict(syncl, LOOPS[name], [os.path.join(out, name)], sets["full"], [one for one in sets["-all"] if one not in sets["full"]], [])
        if not said or not said["trusted"]:
            print(f"{name}\t{full:.0f}\t{plain:.0f}\t{full - plain:.0f}\t{spread:.0f}\tnot trusted: {said['distrust'] if said else why}")
            continue
        low, high = (said["saving_all_range"][end] for end in ("low_us", "high_us"))
        print(f"{name}\t{full:.0f}\t{plain:.0f}\t{full - plain:.0f}\t{spread:.0f}\t{said['saving_all_us']:.0f}\t{low:.0f}..{high:.0f}\t"
              f"{said['saving_all_us'] / max(full - plain, 1):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?")
    parser.add_argument("--only", nargs="*", default=["prefetch_wide", "mlp_loader", "encoder_large"])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--table", metavar="OUT")
    parser.add_argument("--syncl", default=SYNCL)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return child(*args.child, args.seconds)
    if args.table:
        return table(args.table, args.syncl)
    os.makedirs(args.out, exist_ok=True)
    for name in args.only:
        measure(name, args.out, args.runs, args.seconds)
        print(name, flush=True)


main()
