"""Records traces of training loops and measures what each of their waits really costs.

    python3 tests/truth/trace_loops.py OUT [--seconds S] [--only NAME ...] [--weights NAME=2 ...] [--modes cuda]     on a machine with a GPU

Each loop of trace_changes.py runs in a process of its own. Its changes are switched inside the running process: every
changed statement becomes `if switch: as it stands; else: without the wait`, so that both sides share memory, caches
and clocks. A phase lets a step pass with a set of switches, then takes the time of each of some steps between CUDA
events on the step's stream; its figure is the mean of the middle half of them. The sets: each change out alone (`-NAME`),
all out (`-all`), nothing out (`again`, the A/A control), and in the loops of calib/validate each change in alone (`+NAME`).
A round is one phase of every set in random order, the next round the same backwards. Each phase is compared with what
stands around it: the loop as it is (`full`), or without any change (`+NAME`), before and behind; where a step takes
longer than 8 ms, before and behind all sets of the round. How many steps a phase has is chosen before anything is
compared, from the loop as it is: what makes the difference of like phases smallest in a given time.
The measurement is cut into seven parts of like length. Between two of them torch.profiler records the same loop: CUDA activities
only (cuda, and NAME for each `+NAME`), with CPU operators (cpu), with Python stacks too (stack). So each is recorded six
times (cuda, cuda-b .. cuda-f) and measured before and behind each, as a host drifts from second to second; trace_table.py
gives syncl all of them. Of several ranks each is recorded (cuda-r1). What is recorded is the same loop in a process of its
own, on the same cores and the same GPU, which stands while the other is measured: once it has recorded, CUPTI stays
in a process and slows each of its launches.
A step ends at the optimizer's step. A phase in which a loader starts anew is taken again: an epoch's end is no step. The
main thread and the one of the backward pass have a core each to themselves, the quickest at that time, which are kept awake, PyTorch's own loops take
one thread, the garbage collector rests. A loop is done when every half-width (trace_table.py) is small enough, after 20 rounds at the
earliest, or when its share of the time is over. OUT gets NAME.tsv (rounds x sets, us per step, and of each set what was
around it), NAME.json and NAME.MODE.json.gz, the traces cut to what syncl reads of them (trace_cut.py).
"""
import argparse
import ast
import gc
import glob
import json
import math
import os
import random
import signal
import socket
import subprocess
import sys
import time
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, loop_source  # noqa: E402
from trace_cores import cores_apart, cores_of, keep_apart, keep_awake  # noqa: E402
from trace_cut import cut_file  # noqa: E402
from record_loops import record as record_loop  # noqa: E402

LEAST_ROUNDS, LONG_STEP_US = 20, 8000
PASSING, PASSING_LONG = 2, 1  # steps after a switch that no phase counts
WAKING = 6  # steps after the other process had its turn
PHASE_STEPS, CHOOSING_US = (4, 6, 8, 12, 16), 1.5e6
RANK_ROUNDS, RANK_STEPS = 40, 8  # ranks have to agree without a word
SHARP_US, SHARP_SHARE = 4, 0.0005  # of the step: a loop whose half-widths are all below is done
TRACED, WARM_UP = {"cpu": 5, "stack": 4}, 4  # steps; in the other modes as many as this time holds, 13 at least
TRACED_US, MOST_TRACED = 100000, 30
MODES = ("cuda", "cpu", "stack")
TRACE_SECONDS, RECORD_SECONDS = 0.6, 15  # about what one takes
RECORDINGS = ("", "-b", "-c", "-d", "-e", "-f")  # of a trace's name, in this order

AROUND = "|around"  # a set's column of what was measured before and behind it


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
    if which + AROUND in row:
        return (row[which] - row[which + AROUND]) * (1 if which[0] == "+" else -1)
    if which == "again":
        return row["full"] - row["again"]
    if which[0] == "+":
        return row[which] - row["-all"]
    return (row["full"] + row["again"]) / 2 - row[which]


def sets_of(loop):
    """{set: the changes that are out}"""
    names = [change[0] for change in loop["changes"]]
    together = loop.get("together", names)
    apart = [name for name in names if name not in together]
    sets = {"full": apart, "again": apart, **{"-" + one: apart + [one] for one in together}}
    if len(together) > 1 or "alone" in loop:
        sets["-all"] = names
    return {**sets, **{"+" + one: [name for name in names if name != one] for one in loop.get("alone", [])}}


def names_of_traces(loop, modes):
    return [*(mode for mode in loop.get("modes", MODES) if mode in modes), *loop.get("alone", [])]


def recording_seconds(name, args):
    if args.measure_only:
        return RECORD_SECONDS if args.record else 0
    return TRACE_SECONDS * len(RECORDINGS) * len(names_of_traces(LOOPS[name], args.modes))


def rank_suffix(rank):
    return f"-r{rank}" if rank else ""


def middle_half(times):
    times, off = sorted(times), len(times) // 4
    return sum(times[off:len(times) - off]) / (len(times) - 2 * off)


def noise(times, steps):
    """Of one phase among its neighbours, in the time that it takes: what the choice of `steps` makes small."""
    length = PASSING + steps
    phases = [middle_half(times[at + PASSING:at + length]) for at in range(0, len(times) - length + 1, length)]
    apart = sorted(abs(b - (a + c) / 2) for a, b, c in zip(phases, phases[1:], phases[2:]))
    return apart[len(apart) // 2] ** 2 * length if len(apart) > 8 else math.inf


def sequence_of(sets, together):
    """(set, set around it) of a round: `full` around what is out, `plain` around what is in, between all or at the ends."""
    sequence = []
    for around, members in (("full", [one for one in sets if one[0] != "+"]), ("plain", [one for one in sets if one[0] == "+"])):
        for number, one in enumerate(members):
            if number == 0 or not together:
                sequence.append((around, None))
            sequence.append((one, around))
        if members:
            sequence.append((around, None))
    return sequence


def with_surroundings(sequence, times):
    """A round's row from its phases: each set, and what was around it, by how far it was from either side."""
    marks = [at for at, (_, around) in enumerate(sequence) if around is None]
    row = {"full": []}
    for at, (which, around) in enumerate(sequence):
        if around is None:
            row.setdefault(which, []).append(times[at])
            continue
        before, behind = max(m for m in marks if m < at), min(m for m in marks if m > at)
        part = (at - before) / (behind - before)
        row[which + AROUND] = times[before] * (1 - part) + times[behind] * part
        row[which] = times[at]
    return {which: sum(found) / len(found) if isinstance(found, list) else found for which, found in row.items()}


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


def switched_code(loop):
    path = os.path.join(ROOT, loop["path"])
    source = loop_source(loop)
    switches = Switches(source, loop["changes"])
    tree = switches.visit(ast.parse(source))
    missing = [change[0] for change in loop["changes"] if change[0] not in switches.found]
    if missing:
        raise SystemExit(f"{path}: no statement for {missing}")
    return compile(ast.fix_missing_locations(tree), path, "exec")


class Turns:
    """Two processes of one loop, one of which stands while the other runs."""

    def __init__(self, ends, records):
        self.records = records
        mine, other = (ends[0], ends[1]) if records else (ends[1], ends[0])
        other.close()
        self.end = mine

    def take(self):
        """Whether the other one is still there."""
        return bool(self.end.recv(1))

    def give(self, last=False):
        try:
            self.end.send(b"!")
        except OSError:
            return False
        return last or self.take()


class Alone:
    """The turns of a loop that is measured and not recorded."""
    records = False

    def take(self):
        return True

    def give(self):
        return True


class Session:
    """Runs inside the loop's process; `tick` is called at each optimizer step."""

    def __init__(self, torch, name, args, seconds, places, turns):
        self.turns, self.recorded = turns, args.record
        self.torch, self.name, self.out, self.seconds = torch, name, os.path.abspath(args.out), seconds
        self.modes = args.modes
        self.loop = LOOPS[name]
        self.changes = [change[0] for change in self.loop["changes"]]
        self.switches = dict.fromkeys(self.changes, True)
        self.sets = sets_of(self.loop)
        self.rank = int(os.environ.get("RANK", "0"))
        self.ranks = self.loop.get("ranks", 1)
        self.places = places
        self.events, self.used = [], 0
        self.rows, self.plan, self.step_us, self.epochs, self.ticks = [], self.run(), 0.0, 0, 0
        self.began, self.recording_s = 0.0, 0.0

    def tick(self, *_):
        self.ticks += 1
        if self.ticks % self.loop.get("turns", 1) == 0:
            next(self.plan)

    def choose(self, out):
        for change in self.changes:
            self.switches[change] = change not in out

    def stamp(self):
        if self.used == len(self.events):
            self.events.append(self.torch.cuda.Event(enable_timing=True))
        self.events[self.used].record()
        self.used += 1
        return self.events[self.used - 1]

    def stamps(self, steps):
        """An event at the end of each of some steps, after a few that pass."""
        for _ in range(PASSING if self.ranks > 1 or self.step_us < LONG_STEP_US else PASSING_LONG):
            yield
        ends = [self.stamp()]
        for _ in range(steps):
            yield
            ends.append(self.stamp())
        return ends

    def times(self, ends):
        return [begin.elapsed_time(end) * 1000 for begin, end in zip(ends, ends[1:])]

    def phase(self, which, steps):
        self.choose(self.sets["-all" if which == "plain" else which])
        while True:
            epochs = self.epochs
            ends = yield from self.stamps(steps)
            if epochs == self.epochs:
                return ends

    def is_sharp(self):
        limit = max(SHARP_US, SHARP_SHARE * self.step_us)
        return all(hodges_lehmann([difference(row, which) for row in self.rows])[1] <= limit
                   for which in self.sets if which != "full")

    def go_on(self, part):
        """Until this part of the whole is measured."""
        if self.ranks > 1:
            return len(self.rows) < RANK_ROUNDS * part
        spent = time.monotonic() - self.began - self.recording_s
        if len(self.rows) < LEAST_ROUNDS * part:
            return spent < 1.5 * self.seconds * part
        return spent < self.seconds * part and not (len(self.rows) % 5 == 0 and self.is_sharp())

    def measure(self, steps, part):
        order = []
        while self.go_on(part):
            names = [which for which in self.sets if which != "full"]
            order = order[::-1] if order and len(self.rows) % 2 else random.sample(names, len(names))
            sequence = sequence_of(order, together=self.ranks == 1 and self.step_us > LONG_STEP_US)
            self.pin()
            taken = []
            for which, _ in sequence:
                taken.append((yield from self.phase(which, steps)))
            self.torch.cuda.synchronize()
            self.rows.append(with_surroundings(sequence, [middle_half(self.times(ends)) for ends in taken]))
            self.used = 0
            if len(self.rows) % 20 == 0:
                self.write(steps)
        self.choose([])

    def pin(self):
        keep_apart(self.places)

    def trace(self, mode, suffix, out):
        profiler = self.torch.profiler
        activities = [profiler.ProfilerActivity.CUDA]
        steps = TRACED.get(mode) or (13 if self.ranks > 1 else max(13, min(MOST_TRACED, math.ceil(TRACED_US / self.step_us))))
        if mode in ("cpu", "stack"):
            activities.append(profiler.ProfilerActivity.CPU)
        self.choose(out)
        self.pin()
        for _ in range(PASSING):
            yield
        path = os.path.join(self.out, f"{self.name}.{mode}{suffix}{rank_suffix(self.rank)}.json")
        recorded = profiler.profile(
            activities=activities, with_stack=mode == "stack",
            schedule=profiler.schedule(wait=0, warmup=WARM_UP, active=steps, repeat=1),
            on_trace_ready=lambda done: done.export_chrome_trace(path))
        recorded.start()
        for number in range(WARM_UP + steps):
            yield
            recorded.step()
            if number == 0:
                self.pin()  # the profiler's own threads
        recorded.stop()
        self.choose([])

    def settle(self):
        """Steps until two measures of some agree."""
        for _ in range(20):
            yield
        for turn in range(10):
            ends = yield from self.stamps(8)
            self.torch.cuda.synchronize()
            before, self.step_us = self.step_us, middle_half(self.times(ends))
            if self.ranks == 1 and turn > 1 and abs(self.step_us - before) < 0.02 * before:
                break

    def choose_steps(self):
        """Of the loop as it is; an epoch's end is some phases' noise here, alike for every choice."""
        if self.step_us > LONG_STEP_US:
            return PHASE_STEPS[0]
        self.pin()
        ends = yield from self.stamps(min(1200, round(CHOOSING_US / self.step_us)))
        self.torch.cuda.synchronize()
        times, self.used = self.times(ends), 0
        return min(PHASE_STEPS, key=lambda steps: noise(times, steps))

    def run(self):
        random.seed(self.name)
        self.choose(self.sets["full"])
        yield from (self.record() if self.turns.records else self.measure_all())
        raise Finished

    def wake(self):
        self.pin()
        for _ in range(WAKING):
            yield

    def record(self):
        for number, suffix in enumerate(RECORDINGS):
            self.torch.cuda.synchronize()
            if not self.turns.give():
                return
            yield from self.wake()
            if number == 0:
                yield from self.settle()
            for mode in names_of_traces(self.loop, self.modes):
                yield from self.trace(mode, suffix, self.sets["+" + mode if "+" + mode in self.sets else "full"])
        self.torch.cuda.synchronize()
        self.turns.give(last=True)

    def record_between(self):
        """`syncl record` of the loop, on the same cores, while it stands here."""
        self.torch.cuda.synchronize()
        if self.places:
            os.sched_setaffinity(0, set().union(*self.places))
        record_loop(self.name, self.recorded, self.places)
        self.pin()

    def measure_all(self):
        self.pin()
        yield from self.settle()
        steps = RANK_STEPS if self.ranks > 1 else (yield from self.choose_steps())
        self.turns.take()  # the other one has come to its first step
        self.began = time.monotonic()
        for part in range(len(RECORDINGS) + 1):
            yield from self.wake()
            yield from self.measure(steps, (part + 1) / (len(RECORDINGS) + 1))
            self.write(steps)
            began = time.monotonic()
            if part < len(RECORDINGS):
                self.turns.give()
            if part == len(RECORDINGS) // 2 and self.recorded:
                self.record_between()
            self.recording_s += time.monotonic() - began

    def write(self, steps):
        if self.rank:
            return
        names = list(self.rows[0]) if self.rows else []
        with open(os.path.join(self.out, self.name + ".tsv"), "w") as table:
            table.write("round\t" + "\t".join(names) + "\n")
            for number, row in enumerate(self.rows):
                table.write(f"{number}\t" + "\t".join(f"{row[n]:.1f}" for n in names) + "\n")
        about = dict(name=self.name, steps=steps, rounds=len(self.rows), torch=self.torch.__version__,
                     device=self.torch.cuda.get_device_name(), path=self.loop["path"],
                     recording_s=round(self.recording_s, 1),
                     places=[sorted(place) for place in self.places or ()])
        with open(os.path.join(self.out, self.name + ".json"), "w") as file:
            json.dump(about, file)


def count_epochs(torch, session):
    loader = torch.utils.data.DataLoader
    begin = loader.__iter__

    def counted(self):
        session.epochs += 1
        return begin(self)

    loader.__iter__ = counted


def tick_after(function, session):
    """A loop that steps by hand: each of its steps calls this function once."""
    module, name = function.rsplit(".", 1)
    original = getattr(sys.modules[module], name)

    def ticking(*arguments, **more):
        result = original(*arguments, **more)
        session.tick()
        return result

    setattr(sys.modules[module], name, ticking)


def run_loop(name, args, seconds, places, turns, kind=Session):
    loop = LOOPS[name]
    path = os.path.join(ROOT, loop["path"])
    code = switched_code(loop)
    os.environ.update(loop.get("environment", {}))
    sys.argv = [path, *loop.get("arguments", [])]
    sys.path.insert(0, os.path.dirname(path))
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook
    awake = [keep_awake(place) for place in (places or ())[:2]] if not turns.records else []
    if places:
        os.sched_setaffinity(0, places[2])  # until it is its turn
        os.register_at_fork(after_in_child=lambda: os.sched_setaffinity(0, places[2]))  # a loader's workers
    torch.set_num_threads(1)
    session = kind(torch, name, args, seconds, places, turns)
    scratch = os.path.join(session.out, "scratch", name + "-recorded" * turns.records)
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    if "steps" in loop:
        tick_after(loop["steps"], session)
    else:
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
        raise RuntimeError("the loop ended before it was measured and recorded")
    except Finished:
        pass
    finally:
        for child in awake:
            os.kill(child, signal.SIGKILL)


def fork_loop(name, args, seconds):
    """Two processes, one that is measured and one that is recorded, or two for each rank, that share the parent's imports."""
    ranks = LOOPS[name].get("ranks", 1)
    children, roles = [], (False,) if args.measure_only else (False, True)
    for rank in range(ranks):
        ends = socket.socketpair()
        places = cores_apart(os.sched_getaffinity(0), rank, ranks)
        children += [fork_rank(name, args, seconds, rank, ranks, places, ends, records) for records in roles]
        for end in ends:
            end.close()
    return [os.waitpid(child, 0)[1] for child in children]


def fork_rank(name, args, seconds, rank, ranks, places, ends, records):
    child = os.fork()
    if child:
        return child
    try:
        turns = Alone() if args.measure_only else Turns(ends, records)
        if ranks > 1:
            os.environ.update(RANK=str(rank), WORLD_SIZE=str(ranks), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(29511 + records))
        path = os.path.join(args.out, f"{name}{rank_suffix(rank)}{'-recorded' * records}.log")
        log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 2)
        os.dup2(log, 1)
        signal.alarm(round(1.5 * seconds + 2 * recording_seconds(name, args)) + (120 if args.record else 40))  # whatever hangs
        run_loop(name, args, seconds, places, turns)
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
    parser.add_argument("--weights", nargs="*", default=[], help="NAME=2: twice the share of the time")
    parser.add_argument("--modes", nargs="*", default=MODES, help="what to record beside the loops' own traces")
    parser.add_argument("--measure-only", action="store_true", help="record nothing (record_loops.py does)")
    parser.add_argument("--record", metavar="FOLDER", help="nothing but `syncl record`, once, in the middle of the measurement (record_loops.py)")
    args = parser.parse_args()
    if args.record:
        args.measure_only, args.record = True, os.path.abspath(args.record)
    weights = {name: float(weight) for name, _, weight in (each.partition("=") for each in args.weights)}
    began, cutting = time.monotonic(), []
    os.makedirs(args.out, exist_ok=True)
    import torch  # noqa: F401  loaded once, inherited by every loop's process
    import torch.profiler
    import torch.utils.data  # noqa: F401
    if not torch.version.cuda:
        raise SystemExit("this torch has no CUDA")
    for number, name in enumerate(args.only):
        left = args.seconds - (time.monotonic() - began)
        share = left * weights.get(name, 1) / sum(weights.get(other, 1) for other in args.only[number:])
        if share < 4:
            print(f"{name}: no time left")
            continue
        if LOOPS[name].get("ranks", 1) > max(1, len(glob.glob("/dev/nvidia[0-9]*"))):
            print(f"{name}: needs more GPUs")
            continue
        start = time.monotonic()
        status = fork_loop(name, args, max(3.0, share - 5 - recording_seconds(name, args)))
        print(f"{name}: status {status} {time.monotonic() - start:.1f} s", flush=True)
        cutting.append(cut_beside(args.out, name))
    for child in cutting:
        os.waitpid(child, 0)
    subprocess.run(["rm", "-rf", os.path.join(args.out, "scratch")], check=False)
    return 0


def cut_beside(out, name):
    """The loop's traces, at the lowest priority while the next loop starts."""
    child = os.fork()
    if child:
        return child
    try:
        os.sched_setaffinity(0, cores_of(os.sched_getaffinity(0))[0])
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        for trace in sorted(glob.glob(os.path.join(out, name + ".*.json"))):
            try:
                cut_file(trace)
            except (ValueError, KeyError, OSError) as error:  # the others are worth keeping
                print(f"{trace}: {error}", flush=True)
    finally:
        os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
