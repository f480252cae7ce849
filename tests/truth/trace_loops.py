"""Records traces of training loops and measures what each of their waits really costs.

    python3 tests/truth/trace_loops.py OUT [--seconds S] [--only NAME ...]     on a machine with a GPU and torch

Each loop of trace_changes.py runs in a process of its own. Its changes are switched inside the running process: every
changed statement becomes `if switch: as it stands; else: without the wait`, so that both sides share memory, caches
and clocks. A phase lets a few steps pass with a set of switches, then takes the time of some steps between two CUDA
events on the step's stream; a round is one phase of every set, in random order, so differences within a round are
paired. The sets: everything in (twice: the second is the A/A control), each change out alone, all out.
Afterwards torch.profiler records the same loop with everything in: CUDA activities only (cuda), with CPU operators
(cpu), with Python stacks too (stack), and once CUDA only with all changes out (none).
A step ends at the optimizer's step. A phase in which a loader starts anew is taken again: an epoch's end is no step. The
process keeps to a few cores and its garbage collector rests. A loop is done when every half-width (trace_table.py) is
small enough, after 20 rounds at the earliest, or when its share of the time is over. OUT gets NAME.tsv (rounds x sets, us per step), NAME.json and NAME.MODE.json.gz.
"""
import argparse
import ast
import gc
import glob
import json
import math
import os
import random
import subprocess
import sys
import time
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS  # noqa: E402

PASSING, PHASE_US, LEAST_ROUNDS, CORES = 2, 25000, 20, 6
RANK_ROUNDS, RANK_STEPS = 32, 10  # ranks have to agree without a word
TRACED = {"cuda": 5, "none": 5, "cpu": 4, "stack": 3}  # steps


def hodges_lehmann(values):
    """Middle and half-width of the 95 % interval of paired differences (Wilcoxon)."""
    n = len(values)
    means = sorted((values[i] + values[j]) / 2 for i in range(n) for j in range(i, n))
    out = int(n * (n + 1) / 4 - 1.96 * math.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    out = max(0, min(out, len(means) // 2))
    middle = len(means) // 2
    return (means[middle] + means[-1 - middle]) / 2, (means[-1 - out] - means[out]) / 2


def difference(row, which):
    """What a round says that a set saves; `again` is the control, the same thing twice."""
    if which == "again":
        return row["full"] - row["again"]
    return (row["full"] + row["again"]) / 2 - row[which]


class Finished(BaseException):
    """Unwinds the loop: it would run for ever."""


class Switches(ast.NodeTransformer):
    """Puts every changed statement under its switch; line numbers stay."""

    def __init__(self, source, changes):
        self.lines = [line.split("  # ")[0].strip() for line in source.splitlines()]
        self.changes, self.found = changes, set()

    def visit(self, node):
        node = self.generic_visit(node)
        if not isinstance(node, ast.stmt):
            return node
        for name, before, after in self.changes:
            if self.lines[node.lineno - 1] == before:
                self.found.add(name)
                test = ast.parse(f"__switches__[{name!r}]", mode="eval").body
                switched = ast.If(test=test, body=[node], orelse=ast.parse(after).body)
                for inner in ast.walk(ast.Module(body=[test, *switched.orelse], type_ignores=[])):
                    if hasattr(inner, "lineno"):
                        inner.lineno = inner.end_lineno = node.lineno
                return ast.fix_missing_locations(ast.copy_location(switched, node))
        return node


def switched_code(path, changes):
    source = open(path).read()
    switches = Switches(source, changes)
    tree = switches.visit(ast.parse(source))
    missing = [change[0] for change in changes if change[0] not in switches.found]
    if missing:
        raise SystemExit(f"{path}: no statement for {missing}")
    return compile(ast.fix_missing_locations(tree), path, "exec")


class Session:
    """Runs inside the loop's process; `tick` is called at each optimizer step."""

    def __init__(self, torch, name, out, seconds):
        self.torch, self.name, self.out, self.seconds = torch, name, out, seconds
        self.changes = [change[0] for change in LOOPS[name]["changes"]]
        self.switches = dict.fromkeys(self.changes, True)
        self.sets = {"full": [], "again": [], **{"-" + c: [c] for c in self.changes}}
        if len(self.changes) > 1:
            self.sets["-all"] = self.changes
        self.rank = int(os.environ.get("RANK", "0"))
        self.ranks = LOOPS[name].get("ranks", 1)
        self.rows, self.plan, self.step_us, self.epochs = [], self.run(), 0.0, 0

    def tick(self, *_):
        next(self.plan)

    def choose(self, out):
        for change in self.changes:
            self.switches[change] = change not in out

    def timed(self, steps):
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.torch.cuda.synchronize()
        for _ in range(PASSING):
            yield
        begin.record()
        for _ in range(steps):
            yield
        end.record()
        self.torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1000 / steps

    def phase(self, which, steps):
        self.choose(self.sets[which])
        while True:
            epochs = self.epochs
            took = yield from self.timed(steps)
            if epochs == self.epochs:
                return took

    def is_sharp(self):
        limit = 0.8 * max(20, 0.003 * self.step_us)
        return all(hodges_lehmann([difference(row, which) for row in self.rows])[1] <= limit
                   for which in self.sets if which not in ("full", "again"))

    def measure(self, steps):
        began = time.monotonic()
        while len(self.rows) < RANK_ROUNDS if self.ranks > 1 else (
                len(self.rows) < LEAST_ROUNDS or time.monotonic() - began < self.seconds):
            row = {}
            for which in random.sample(list(self.sets), len(self.sets)):
                row[which] = yield from self.phase(which, steps)
            self.rows.append(row)
            if self.ranks == 1 and len(self.rows) >= LEAST_ROUNDS and len(self.rows) % 5 == 0 and self.is_sharp():
                break
        self.choose([])

    def trace(self, mode, out):
        profiler = self.torch.profiler
        activities = [profiler.ProfilerActivity.CUDA]
        if mode in ("cpu", "stack"):
            activities.append(profiler.ProfilerActivity.CPU)
        self.choose(out)
        for _ in range(PASSING):
            yield
        path = os.path.join(self.out, f"{self.name}.{mode}.json")
        recorded = profiler.profile(
            activities=activities, with_stack=mode == "stack",
            schedule=profiler.schedule(wait=0, warmup=3, active=TRACED[mode], repeat=1),
            on_trace_ready=lambda done: done.export_chrome_trace(path) if self.rank == 0 else None)
        recorded.start()
        for _ in range(3 + TRACED[mode]):
            yield
            recorded.step()
        recorded.stop()
        self.choose([])

    def run(self):
        random.seed(self.name)
        for _ in range(20):
            yield
        self.step_us = yield from self.timed(5)
        steps = RANK_STEPS if self.ranks > 1 else max(3, min(20, round(PHASE_US / self.step_us)))
        yield from self.measure(steps)
        self.write(steps)
        for mode, out in (("cuda", []), ("none", self.changes), ("cpu", []), ("stack", [])):
            yield from self.trace(mode, out)
        raise Finished

    def write(self, steps):
        if self.rank:
            return
        names = list(self.sets)
        with open(os.path.join(self.out, self.name + ".tsv"), "w") as table:
            table.write("round\t" + "\t".join(names) + "\n")
            for number, row in enumerate(self.rows):
                table.write(f"{number}\t" + "\t".join(f"{row[n]:.1f}" for n in names) + "\n")
        about = dict(name=self.name, steps=steps, rounds=len(self.rows), torch=self.torch.__version__,
                     device=self.torch.cuda.get_device_name(), path=LOOPS[self.name]["path"])
        with open(os.path.join(self.out, self.name + ".json"), "w") as file:
            json.dump(about, file)


def count_epochs(torch, session):
    loader = torch.utils.data.DataLoader
    begin = loader.__iter__

    def counted(self):
        session.epochs += 1
        return begin(self)

    loader.__iter__ = counted


def run_loop(name, out, seconds):
    loop = LOOPS[name]
    path = os.path.join(ROOT, loop["path"])
    code = switched_code(path, loop["changes"])
    os.environ.update(loop.get("environment", {}))
    sys.argv = [path, *loop.get("arguments", [])]
    sys.path.insert(0, os.path.dirname(path))
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook
    session = Session(torch, name, os.path.abspath(out), seconds)
    scratch = os.path.join(session.out, "scratch", name)
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    register_optimizer_step_post_hook(session.tick)
    count_epochs(torch, session)
    gc.collect()
    gc.disable()
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __switches__=session.switches)
    sys.modules["__main__"] = module
    sys.stdout = open(os.devnull, "w")
    try:
        exec(code, module.__dict__)
    except Finished:
        pass


def fork_loop(name, out, seconds):
    """In a process of its own, or one for each rank, that share the parent's imports."""
    ranks = LOOPS[name].get("ranks", 1)
    children = [fork_rank(name, out, seconds, rank, ranks) for rank in range(ranks)]
    return [os.waitpid(child, 0)[1] for child in children]


def fork_rank(name, out, seconds, rank, ranks):
    child = os.fork()
    if child:
        return child
    try:
        if ranks > 1:
            os.environ.update(RANK=str(rank), WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
        log = os.open(os.path.join(out, f"{name}.{rank}.log" if rank else name + ".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 2)
        os.dup2(log, 1)
        run_loop(name, out, seconds)
        os._exit(0)
    except BaseException:
        import traceback
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=180, help="for everything")
    parser.add_argument("--only", nargs="*", default=list(LOOPS))
    args = parser.parse_args()
    began = time.monotonic()
    os.makedirs(args.out, exist_ok=True)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-CORES:])
    import torch  # noqa: F401  loaded once, inherited by every loop's process
    import torch.profiler
    import torch.utils.data  # noqa: F401
    if not torch.version.cuda:
        raise SystemExit("this torch has no CUDA")
    packers = []
    for number, name in enumerate(args.only):
        left = args.seconds - (time.monotonic() - began)
        share = left / (len(args.only) - number)
        if share < 4:
            print(f"{name}: no time left")
            continue
        if LOOPS[name].get("ranks", 1) > max(1, len(glob.glob("/dev/nvidia[0-9]*"))):
            print(f"{name}: needs more GPUs")
            continue
        start = time.monotonic()
        status = fork_loop(name, args.out, max(3.0, share - 6.0))
        print(f"{name}: status {status} {time.monotonic() - start:.1f} s", flush=True)
        for file in sorted(os.listdir(args.out)):
            if file.startswith(name + ".") and file.endswith(".json") and file != name + ".json":
                packers.append(subprocess.Popen(["gzip", "-f", os.path.join(args.out, file)]))
    for packer in packers:
        packer.wait()
    subprocess.run(["rm", "-rf", os.path.join(args.out, "scratch")], check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
