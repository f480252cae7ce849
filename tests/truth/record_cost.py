"""What `syncl record` costs the run that it records.

    python3 tests/truth/record_cost.py OUT [--only NAME ...] [--pairs 3] [--seconds 6]     on a machine with a GPU
    python3 tests/truth/record_cost.py --table OUT

A loop of trace_changes.py runs for some seconds with libsyncl-record.so and without it, in turn, each time in a process of
its own, on the same cores; each step's end is written down (NAME.PAIR.with.tsv and .without.tsv, nanoseconds, the last line
the most memory in KiB) beside the recording. The table: the middle step without the library; with it while only the calls
that can wait are watched, while everything is recorded, and behind that; what 30 steps and the recording's whole way
took longer; memory.
"""
import argparse
import gc
import glob
import os
import resource
import signal
import statistics
import sys
import time
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, ROOT, loop_source  # noqa: E402
from trace_cores import cores_apart, keep_apart, keep_awake  # noqa: E402
from trace_loops import Finished, sets_of  # noqa: E402

SETTLED = 20  # steps


def run(name, seconds, path):
    loop = LOOPS[name]
    places = cores_apart(os.sched_getaffinity(0))
    awake = [keep_awake(place) for place in (places or ())[:2]]
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook
    torch.set_num_threads(1)
    ends = []

    def tick(*_):
        ends.append(time.time_ns())
        if len(ends) == SETTLED:
            keep_apart(places)
        if len(ends) > SETTLED and ends[-1] - ends[SETTLED] > seconds * 1e9:
            raise Finished

    register_optimizer_step_post_hook(tick)
    os.environ.update(loop.get("environment", {}))
    sys.argv = [path, *loop.get("arguments", [])]
    sys.path.insert(0, os.path.join(ROOT, os.path.dirname(loop["path"])))
    gc.collect()
    gc.disable()
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path)
    sys.modules["__main__"] = module
    sys.stdout = open(os.devnull, "w")
    try:
        exec(compile(loop_source(loop, sets_of(loop)["full"]), path, "exec"), module.__dict__)
    except Finished:
        pass
    for child in awake:
        os.kill(child, signal.SIGKILL)
    with open(path + ".tsv", "w") as table:
        table.write("".join(f"{end}\n" for end in ends[SETTLED:]))
        table.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}\n")


def fork(name, seconds, path, library):
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    status = 1
    try:
        if library:
            os.makedirs(path, exist_ok=True)
            os.environ.update(CUDA_INJECTION64_PATH=library, SYNCL_RECORD_DIR=path)
        signal.alarm(int(seconds) + 30)
        run(name, seconds, path)
        status = 0
    finally:
        os._exit(status)


def gaps(ends, begin=0, end=1 << 63):
    return [b - a for a, b in zip(ends, ends[1:]) if begin <= a and b < end]


def of_phases(ends, phases, kind, some=slice(None)):
    """Steps that lie within phases of a kind."""
    windows = [(a, b) for (a, phase, _), (b, _, _) in zip(phases, [*phases[1:], (1 << 63, 0, 0)]) if phase == kind]
    return [gap for a, b in windows[some] for gap in gaps(ends, a, b)]


def table(out):
    sys.path.insert(0, os.path.join(ROOT, "tests", "record"))
    import recording
    print("loop\tpair\twithout_us\twatched_us\tshare\tdetailed_us\tbehind_us\trecording_s\tlonger_s\tthirty_steps_longer_ms\tmore_MiB")
    for path in sorted(glob.glob(os.path.join(out, "*.with.tsv"))):
        name, pair = os.path.basename(path).split(".")[:2]
        read = [[int(line) for line in open(one)] for one in (path, path.replace(".with.", ".without."))]
        (*ends, kib), (*without, kib_without) = read
        (file,) = glob.glob(path.removesuffix(".tsv") + "/rank*.syncl")
        phases = recording.read(file).phases
        done = next(at for at, phase, _ in phases if phase == recording.DONE)
        usual = statistics.median(gaps(without))
        watched = statistics.median(of_phases(ends, phases, recording.CLEAN, slice(1)))
        detailed = statistics.median(of_phases(ends, phases, recording.DETAIL))
        behind = statistics.median(gaps(ends, done) or [float("nan")])
        recorded = gaps(ends, phases[0][0], done)
        begin = next(at for at, phase, _ in phases if phase == recording.DETAIL)
        detail = gaps(ends, begin, done)
        print(f"{name}\t{pair}\t{usual / 1e3:.0f}\t{watched / 1e3:.0f}\t{100 * (watched / usual - 1):+.2f} %\t{detailed / 1e3:.0f}\t{behind / 1e3:.0f}\t"
              f"{sum(recorded) / 1e9:.1f}\t{(sum(recorded) - len(recorded) * usual) / 1e9:.2f}\t"
              f"{(sum(detail) / len(detail) - usual) * 30 / 1e6:.1f}\t{(kib - kib_without) / 1024:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--only", nargs="*", default=["encoder_large", "actor_critic"])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "libsyncl-record.so"))
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if args.table:
        return table(args.out)
    import torch  # noqa: F401  loaded once
    os.makedirs(args.out, exist_ok=True)
    for name in args.only:
        for pair in range(args.pairs):
            for which in ("with", "without")[::1 if pair % 2 else -1]:
                path = os.path.join(os.path.abspath(args.out), f"{name}.{pair}.{which}")
                status = fork(name, args.seconds, path, os.path.abspath(args.library) if which == "with" else None)
                print(f"{name} {which}: status {status}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
