"""What `syncl record` costs the run that it records.

    python3 tests/truth/record_cost.py OUT [--only NAME ...] [--each 8] [--seconds 60]     on a machine with a GPU
    python3 tests/truth/record_cost.py --table OUT
    python3 tests/truth/record_cost.py OUT --calls [--each 4]; ... --table OUT [RECORDED]
    python3 tests/truth/record_cost.py --phases RECORDED [NAME ...]

Sixteen processes of one loop of trace_changes.py: --each have libsyncl-record.so in them, which looks for steps all the while (so it
does what it does in clean steps), and as many have not. They share the cores and take turns of some steps, in random order and back; the
others stand meanwhile. A process is as much slower than the others as the median of its turns against their rounds' means. Processes
differ (each has other memory), so it is over them that the 95 % interval of Welch's t is taken; `control` is one half of those without
against the other. Behind them a process is recorded to its end and one is not: their memory. OUT gets NAME.turns.tsv (rounds x
processes, us a step) and NAME.memory.tsv.

--calls: a loop that only the host keeps busy differs by a seventh from turn to turn, which hides a cost of 1 %. So this has what one
call takes with the library and without, in processes that follow one another: a wait for an idle stream, a launch, a read, a copy, each
below twenty Python frames. Times how many of each a recording has in a step (RECORDED/NAME, in detail), that is the cost of a clean step.

--phases: what a recording itself says (the line that it told steps by): its middle step while only calls that can wait are
watched, in detail, and how much longer 30 steps in detail take; RECORDED is what record_loops.py filled.
"""
import argparse
import glob
import os
import random
import resource
import select
import signal
import socket
import statistics
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "record")]
import recording  # noqa: E402
from trace_changes import LOOPS, ROOT  # noqa: E402
from trace_cores import cores_apart  # noqa: E402
from trace_loops import Alone, Finished, Session, middle_half, run_loop  # noqa: E402
from undisturbed_table import welch  # noqa: E402

NEVER = "1000000000"  # SYNCL_RECORD_SKIP: no step is enough
SETTLING, WAKING, TURN_US = 30, 3, 150000  # steps, steps, what a turn takes
FEWEST, MOST, DROPPED_ROUNDS, START_S = 5, 100, 2, 90
MEMORY_S = 8


class InTurn(Session):
    """Some steps whenever it is told to, and says what one took."""

    def __init__(self, torch, name, args, *more):
        super().__init__(torch, name, args, *more)
        self.end = args.end

    def run(self):
        self.choose(self.sets["full"])
        for _ in range(SETTLING):  # beside the others
            yield
        self.step_us = TURN_US / FEWEST
        while True:
            self.torch.cuda.synchronize()
            self.end.send(b"%f\n" % self.step_us)
            if self.end.recv(1) != b"!":
                raise Finished
            self.pin()
            for _ in range(WAKING):
                yield
            self.used = 0
            ends = yield from self.phase("full", max(FEWEST, min(MOST, round(TURN_US / self.step_us))))
            self.torch.cuda.synchronize()
            self.step_us = middle_half(self.times(ends))


class Beside(Alone):
    """The cores are kept awake once."""
    records = True


class ForAWhile(Session):
    """Goes on for some seconds, and writes down the most memory that it had."""

    def __init__(self, torch, name, args, *more):
        super().__init__(torch, name, args, *more)
        self.memory = args.memory

    def run(self):
        self.choose(self.sets["full"])
        began = time.monotonic()
        while time.monotonic() - began < self.seconds:
            yield
        with open(self.memory, "w") as file:
            file.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}\n")
        raise Finished


def start(name, args, places, kind, environment, log, turns):
    child = os.fork()
    if child:
        return child
    try:
        os.environ.update(environment)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(descriptor, 1), os.dup2(descriptor, 2)
        signal.alarm(int(args.seconds) + START_S + 30)
        run_loop(name, args, MEMORY_S, places, turns, kind)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(0)


def recorder(args, folder, skip):
    os.makedirs(folder, exist_ok=True)
    more = {"SYNCL_RECORD_SKIP": skip} if skip else {}
    return {"CUDA_INJECTION64_PATH": os.path.abspath(args.library), "SYNCL_RECORD_DIR": folder, **more}


def told(end, limit):
    """What a process says its step took; None: it has ended or hangs."""
    text = b""
    while not text.endswith(b"\n"):
        ready = select.select([end], [], [], max(limit - time.monotonic(), 0))[0]
        got = end.recv(64) if ready else b""
        if not got:
            return None
        text += got
    return float(text)


def in_turns(name, args, out):
    """Rounds of one step time for each process."""
    places, ends, children = cores_apart(os.sched_getaffinity(0)), {}, []
    for number in range(args.each):
        for role in ("with", "without"):
            one = f"{role}.{number}"
            ends[one], args.end = socket.socketpair()
            environment = recorder(args, f"{out}.{one}.recording", NEVER) if role == "with" else {}
            children.append(start(name, args, places, InTurn, environment, f"{out}.{one}.log", Beside() if children else Alone()))
            args.end.close()
    limit = time.monotonic() + START_S
    for one in [one for one in ends if told(ends[one], limit) is None]:
        print(f"{name}: {one} did not start", flush=True)
        ends.pop(one).close()
    rounds, order, limit = [], list(ends), time.monotonic() + args.seconds
    while time.monotonic() < limit and ends:
        order = order[::-1] if len(rounds) % 2 else random.sample(order, len(order))
        row = {}
        for one in order:
            ends[one].send(b"!")
            row[one] = told(ends[one], limit + 5)
        if None in row.values():
            break
        rounds.append(row)
    for end in ends.values():
        end.close()
    for child in children:
        os.kill(child, signal.SIGKILL), os.waitpid(child, 0)
    with open(out + ".turns.tsv", "w") as file:
        file.write("\t".join(ends) + "\n")
        file.writelines("\t".join(f"{row[one]:.2f}" for one in ends) + "\n" for row in rounds)
    return len(rounds)


def memory(name, args, out):
    places, sizes = cores_apart(os.sched_getaffinity(0)), {}
    for role in ("recorded", "without"):
        environment = recorder(args, out + ".recorded", None) if role == "recorded" else {}
        args.memory = f"{out}.{role}.kib"
        os.waitpid(start(name, args, places, ForAWhile, environment, f"{out}.{role}.log", Alone()), 0)
        sizes[role] = open(args.memory).read().strip() if os.path.exists(args.memory) else ""
    with open(out + ".memory.tsv", "w") as file:
        file.write("\t".join(sizes) + "\n" + "\t".join(sizes.values()) + "\n")


# ---- what one call takes ----

CALLS = ("wait", "launch", "read", "copy")
BATCH, BATCHES, FRAMES = 100, 60, 20


def quickest_quarter(call, settle):
    """us of one, in the quickest quarter of the batches: a neighbour makes the others slow."""
    times = []
    for _ in range(BATCHES):
        settle()
        begin = time.perf_counter()
        for _ in range(BATCH):
            call()
        times.append((time.perf_counter() - begin) / BATCH * 1e6)
    return statistics.mean(sorted(times)[:BATCHES // 4])


def below(frames, run):
    return below(frames - 1, run) if frames else run()


def time_calls(path):
    import torch
    value, there, here = torch.zeros(1, device="cuda"), torch.zeros(64, device="cuda"), torch.zeros(64)
    stream = torch.cuda.current_stream()
    calls = {"wait": stream.synchronize, "launch": lambda: value.add_(1), "read": value.item, "copy": lambda: there.copy_(here)}
    for call in calls.values():  # and the recorder's first reads, which are careful
        below(FRAMES, lambda: [call() for _ in range(500)])
    times = {name: below(FRAMES, lambda: quickest_quarter(calls[name], torch.cuda.synchronize)) for name in (*CALLS, *CALLS[::-1])}
    with open(path, "w") as file:
        file.write("".join(f"{name}\t{us:.3f}\n" for name, us in times.items()))


def calls_of(args):
    for number in range(2 * args.each):
        role = ("with", "without", "without", "with")[number % 4]
        child = os.fork()
        if not child:
            try:
                os.environ.update(recorder(args, os.path.join(args.out, f"calls.{number}.recording"), NEVER) if role == "with" else {})
                signal.alarm(60)
                time_calls(os.path.join(args.out, f"calls.{role}.{number}.tsv"))
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(0)
        os.waitpid(child, 0)


def times_of_calls(out):
    """{call: [us of each process] with and without}"""
    sides = {name: ([], []) for name in CALLS}
    for path in glob.glob(os.path.join(out, "calls.with*.tsv")):
        for name, us in (line.split("\t") for line in open(path).read().splitlines()):
            sides[name]["without" in os.path.basename(path)].append(float(us))
    return {name: both for name, both in sides.items() if all(both)}


def table_of_calls(out, recorded):
    sides = times_of_calls(out)
    if not sides:
        return
    print("call\tprocesses\twithout_us\tlonger_us\thalf_width")
    more = {name: welch(*both) for name, both in sides.items()}
    for name, (first, second) in sides.items():
        print(name, f"{len(first)}+{len(second)}", f"{statistics.mean(second):.2f}", f"{more[name][0]:+.3f}\t{more[name][1]:.3f}", sep="\t")
    if recorded:
        print("loop\tstep_us\twatched_calls\tother_calls\tlonger_us\tlonger_%")
        for name, step_us, watched, others in calls_in_steps(recorded):
            us = watched * more["wait"][0] + others * max(more["launch"][0], 0)
            print(name, f"{step_us:.0f}", f"{watched:.1f}", f"{others:.0f}", f"{us:.1f}", f"{100 * us / step_us:+.2f}", sep="\t")


def calls_in_steps(folder):
    """Of each recording (loop, us of a clean step, watched calls and others in a step)."""
    for name, read in recordings_in(folder, []):
        clean = steps_in(read, recording.CLEAN, slice(1))
        steps = sum(len(steps_in(read, recording.DETAIL, slice(at, at + 1))) for at in range(3))
        windows = [(a, b) for (a, phase, _), (b, _, _) in zip(read.phases, read.phases[1:]) if phase == recording.DETAIL]
        inside = [sum(a <= call.start_ns < b for call in calls for a, b in windows) for calls in (read.calls, read.apis)]
        if clean and steps:
            yield name, statistics.median(clean), inside[0] / steps, (inside[1] - inside[0]) / steps


# ---- tables ----

def slower(rows, role):
    """Of each process with a role, in % of a step."""
    usual = statistics.median(us for row in rows for one, us in row.items() if one.startswith("without."))
    means = [statistics.mean(row.values()) for row in rows]
    return [statistics.median(100 * (row[one] - mean) / usual for row, mean in zip(rows, means)) for one in rows[0] if one.startswith(role + ".")]


def table(out):
    print("loop\trounds\tprocesses\tstep_us\twith_%\thalf_width\tcontrol_%\thalf_width\tprocesses_differ_by_%")
    for path in sorted(glob.glob(os.path.join(out, "*.turns.tsv"))):
        lines = open(path).read().splitlines()
        rows = [dict(zip(lines[0].split("\t"), map(float, line.split("\t")))) for line in lines[1 + DROPPED_ROUNDS:]]
        if not rows:
            continue
        usual = statistics.median(us for row in rows for us in row.values())
        recorded, without = slower(rows, "with"), slower(rows, "without")
        cells = [f"{x:+.2f}" for pair in (welch(recorded, without), welch(without[::2], without[1::2])) for x in pair]
        print(os.path.basename(path).split(".")[0], len(rows), f"{len(recorded)}+{len(without)}", f"{usual:.0f}", *cells, f"{statistics.pstdev(without):.2f}", sep="\t")
    for path in sorted(glob.glob(os.path.join(out, "*.memory.tsv"))):
        recorded, without = open(path).read().splitlines()[1].split("\t")
        print(f"# {os.path.basename(path).split('.')[0]}: {(int(recorded) - int(without)) / 1024:.0f} MiB more memory, recorded to the end")


def steps_in(read, kind, some):
    """From one call of the line that told the steps to the next of that name, within phases of a kind, us."""
    phases = [*read.phases, (1 << 63, None, 0)]
    windows = [(a, b) for (a, phase, _), (b, _, _) in zip(phases, phases[1:]) if phase == kind][some]
    anchor = next(stack for _, phase, stack in read.phases if phase == kind)
    calls = [call for call in read.calls if call.stack == anchor]
    ends = sorted(call.end_ns for call in calls if call.name == calls[0].name)
    return [(b - a) / 1e3 for x, y in windows for a, b in zip(ends, ends[1:]) if x <= a and b < y]


def recordings_in(folder, names):
    for name in names or sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and entry.name != "src"):
        for path in sorted(glob.glob(os.path.join(folder, name, "rank*.syncl"))):
            read = recording.read(path)
            if any(phase == recording.DETAIL for _, phase, _ in read.phases):
                read.bytes = os.path.getsize(path)
                yield name, read


def phases(folder, names):
    print("loop\tclean_us\tdetailed_us\tthirty_steps_longer_ms\tsteps\tfile_MiB")
    for name, read in recordings_in(folder, names):
        clean, detail = (steps_in(read, kind, some) for kind, some in ((recording.CLEAN, slice(1)), (recording.DETAIL, slice(None))))
        if clean and detail:
            longer = 30 * (statistics.mean(detail) - statistics.mean(clean)) / 1e3
            print(f"{name}\t{statistics.median(clean):.0f}\t{statistics.median(detail):.0f}\t{longer:.1f}\t{len(detail)}\t{read.bytes / 2**20:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--only", nargs="*", default=["actor_critic", "encoder_large"])
    parser.add_argument("--each", type=int, default=8, help="processes with, and without")
    parser.add_argument("--seconds", type=float, default=60, help="of a loop's turns")
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "libsyncl-record.so"))
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--phases", action="store_true")
    args = parser.parse_args()
    if args.table or args.phases:
        return (table(args.out), table_of_calls(args.out, *args.names[:1] or [None])) if args.table else phases(args.out, args.names)
    import torch  # noqa: F401  loaded once
    import torch.utils.data  # noqa: F401
    args.modes, args.record, args.out = (), None, os.path.abspath(args.out)
    os.makedirs(args.out, exist_ok=True)
    if args.calls:
        return calls_of(args)
    for name in args.only:
        began = time.monotonic()
        rounds = in_turns(name, args, os.path.join(args.out, name))
        print(f"{name}: {rounds} rounds {time.monotonic() - began:.0f} s", flush=True)
    for name in () if args.no_memory else args.only:
        memory(name, args, os.path.join(args.out, name))


if __name__ == "__main__":
    main()
