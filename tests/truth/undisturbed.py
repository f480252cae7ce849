#!/usr/bin/env python3
"""What loops lose by their waits on a machine that they have to themselves, and one recording of each on the same machine.

    python3 tests/truth/undisturbed.py OUT [--seconds 570] [--only NAME ...]     on a machine with a GPU

One process runs at a time, as a user's would: on any core, with PyTorch's threads and the garbage collector as they are. All have
imported PyTorch before the first of them starts. A recorded loop (trace_changes.py) runs in blocks: one process whose waits are switched
(trace_loops.py) for half a second at a time, the first part of which is not counted: `full`, `again` (the control), each change out,
all out, in random order, then the same backwards, and so on. Half-way it stands, and `syncl record --stop` records another process of
the loop, since a host drifts. Ranks (`ddp`) are a process each, and recorded under torchrun; all switch at the same step: they have one
order, and rank 0 says before each pass, where nothing is timed, how many steps a block has. A priced loop
(calib/validate) is measured by measure.py. Some loops also run with each side in a process of its own (`own`), and under what
trace_loops.py does to a process (`pinned`): whether blocks and processes agree is part of the result.
OUT gets blocks.NAME.json (of another rank blocks.NAME.r1.json), own.NAME.SIDE.N.json, pinned.NAME.SIDE.json, priced.NAME.json, copies.copies.json, r/NAME (the recording), machine.json (the
profile of the machine), jobs.tsv (what ran when), and log/. At the limit of time it stops with what it has.
"""
import argparse
import ast
import gc
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "calib", "validate")]
from trace_changes import LOOPS, loop_source  # noqa: E402
from record_loops import end_recorded  # noqa: E402
from trace_loops import Finished, count_epochs, sets_of, switched_code, tick_after  # noqa: E402

SETTLE_S, SETTLE_STEPS = 1.2, 10
DROPPED_S, BLOCK_S, FEWEST_DROPPED, FEWEST = 0.15, 0.35, 3, 8  # of a block; steps
RANK_STEPS = 40  # that tell how long a step of several ranks is
FEWEST_PASSES = 2
STARTING = 16  # processes that import at once
LATE_S = 40  # a process may take so much longer than it was told: it starts CUDA first, and measure.py runs no fewer than its rounds
RECORD_S, OWN_S, BLOCKS_S, PRICED_S, LEAST_S = 35, 3.0, 13, 24, 12

# What runs, dearest first; of a loop: how long its blocks take, and whether blocks are compared with processes.
RECORDED = {"prefetch_wide": (16, "pinned"), "mlp_loader": (16, "own"), "encoder_large": (19, ""), "compiled": (16, ""),
            "graphed": (19, ""), "trainer_large": (19, ""), "lightning_fit": (16, ""), "gpt_accum": (10, ""), "dcgan": (20, "")}
PRICED = {"story_gpt": ("plain", "item-backward"), "latents": (), "dcgan": (), "llama_text": ()}
RECORDED_LATER = {"actor_critic": (16, ""), "prefetch_events": (12, ""), "gpt_deep": (12, "")}
NAMED_S = 20  # of any other loop of trace_changes.py
PRICED_LATER = {"segment": (), "links": (), "points_detector": (), "masked_patches": (), "forecast": (), "distill_resnet": ()}


# ---- in a child ----

class Ranks:
    """What rank 0 says holds for all."""

    def __init__(self, name):
        self.random, self.said = random.Random(name), 0

    def agreed(self, value):
        from torch.distributed.distributed_c10d import _get_default_store
        self.said += 1
        if os.environ["RANK"] == "0":
            _get_default_store().set(f"undisturbed{self.said}", json.dumps(value))
        return json.loads(_get_default_store().get(f"undisturbed{self.said}"))

    def leave(self):
        """Rank 0, which holds what was said, is the last."""
        from torch.distributed.distributed_c10d import _get_default_store
        if os.environ["RANK"] == "0":
            _get_default_store().wait([f"left{rank}" for rank in range(1, int(os.environ["WORLD_SIZE"]))])
        else:
            _get_default_store().set("left" + os.environ["RANK"], "")


class Blocks:
    """Called at each step of the loop: switches its waits, and keeps when steps ended."""

    def __init__(self, torch, name, names, seconds, write, stand=None):
        self.torch, self.loop, self.seconds, self.write, self.stand = torch, LOOPS[name], seconds, write, stand
        self.ranks = Ranks(name) if self.loop.get("ranks", 1) > 1 else None
        self.random, self.agreed = (self.ranks.random, self.ranks.agreed) if self.ranks else (random.Random(), lambda value: value)
        self.step_s, self.spent_s, self.stood = None, 0.0, stand is None
        self.sets, self.names = sets_of(self.loop), names
        self.changes = [change[0] for change in self.loop["changes"]]
        self.switches = dict.fromkeys(self.changes, True)
        self.events, self.used, self.ticks, self.epochs = [], 0, 0, 0
        self.blocks, self.clock = [], clock_of()
        self.made, self.plan = time.perf_counter(), self.run()

    def tick(self, *_):
        self.ticks += 1
        if self.ticks % self.loop.get("turns", 1) == 0:
            next(self.plan)

    def stamp(self):
        if self.used == len(self.events):
            self.events.append(self.torch.cuda.Event(enable_timing=True))
        self.events[self.used].record()
        self.used += 1
        return self.events[self.used - 1], self.epochs, time.perf_counter()

    def passing(self, seconds, fewest):
        """Steps for some time; of ranks as many as it usually has, since their clocks differ."""
        until, steps, usual = time.perf_counter() + seconds, 0, self.step_s and seconds / self.step_s
        while steps < fewest or (steps < usual if usual else time.perf_counter() < until):
            yield
            steps += 1

    def block(self, which):
        out = self.sets[which]
        for change in self.changes:
            self.switches[change] = change not in out
        yield from self.passing(DROPPED_S, FEWEST_DROPPED)
        ends = [self.stamp()]
        for _ in self.passing(BLOCK_S, FEWEST):
            yield
            ends.append(self.stamp())
        return which, ends, self.clock()

    def settle(self):
        for change in self.changes:
            self.switches[change] = change not in self.sets[self.names[0]]
        for _ in range(RANK_STEPS if self.ranks else 0):
            yield
        self.torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(RANK_STEPS if self.ranks else 0):
            yield
        self.torch.cuda.synchronize()
        self.step_s = self.agreed((time.perf_counter() - began) / RANK_STEPS) if self.ranks else None
        yield from self.passing(SETTLE_S, SETTLE_STEPS)

    def one_pass(self, order, number, settled_s):
        begin, taken = time.perf_counter(), []
        for which in order:
            taken.append((yield from self.block(which)))
        self.torch.cuda.synchronize()
        self.blocks += [self.read(number, *one) for one in taken]
        self.used = 0
        self.write(self.blocks, settled_s)
        self.spent_s += time.perf_counter() - begin
        return time.perf_counter() - begin

    def run(self):
        yield from self.settle()
        settled_s, order, passes, longest = round(time.perf_counter() - self.made, 2), self.random.sample(self.names, len(self.names)), 0, 0.0
        while self.agreed(passes < FEWEST_PASSES or self.spent_s + longest < self.seconds):
            longest = max(longest, (yield from self.one_pass(order, passes, settled_s)))
            passes += 1
            order = self.random.sample(order, len(order)) if passes % 2 == 0 else order[::-1]
            if self.agreed(not self.stood and self.spent_s + longest / 2 >= self.seconds / 2):
                self.stood = True
                self.stand()
                yield from self.settle()
        if self.ranks:
            self.ranks.leave()
        raise Finished

    def read(self, number, which, ends, clock):
        """us of each step; a step in which a loader started anew is none: null."""
        pairs = list(zip(ends, ends[1:]))
        return {"pass": number, "set": which, **clock, "host_us": round((ends[-1][2] - ends[0][2]) / len(pairs) * 1e6, 1),
                "gpu_us": round(ends[0][0].elapsed_time(ends[-1][0]) / len(pairs) * 1e3, 1),
                "steps": [round(a[0].elapsed_time(b[0]) * 1e3, 1) if a[1] == b[1] else None for a, b in pairs]}


def clock_of():
    """Asks for the GPU's clock, power and temperature."""
    try:
        import pynvml
        pynvml.nvmlInit()
        gpu = pynvml.nvmlDeviceGetHandleByIndex(int(os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]))
        return lambda: {"mhz": pynvml.nvmlDeviceGetClockInfo(gpu, pynvml.NVML_CLOCK_SM), "watts": pynvml.nvmlDeviceGetPowerUsage(gpu) // 1000}
    except Exception:  # it is only told
        return dict


def as_trace_loops_does():
    """Cores of their own, kept awake, one thread, no garbage collector; a thread that comes later stays on its parent's core."""
    import torch
    from trace_cores import cores_apart, keep_apart, keep_awake
    places = cores_apart(os.sched_getaffinity(0))
    awake = [keep_awake(place) for place in (places or ())[:2]]
    torch.set_num_threads(1)
    gc.collect()
    gc.disable()

    def pin():
        for _ in range(6):
            time.sleep(1)
            keep_apart(places)
    threading.Thread(target=pin, daemon=True).start()
    return awake


def as_main(path, code, **more):
    loop_of = types.ModuleType("__main__")
    loop_of.__dict__.update(__file__=path, **more)
    sys.modules["__main__"] = loop_of
    sys.stdout = open(os.devnull, "w")
    exec(code, loop_of.__dict__)


def prepare(name):
    loop = LOOPS[name]
    path = os.path.join(ROOT, loop["path"])
    os.environ.update(loop.get("environment", {}))
    sys.argv = [path, *loop.get("arguments", [])]
    sys.path.insert(0, os.path.dirname(path))
    return loop, path


def child_blocks(name, into, seconds, names, pinned, stand):
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook
    loop, path = prepare(name)
    awake = as_trace_loops_does() if pinned else []

    def write(blocks, settled_s):
        with open(into + ".new", "w") as file:
            json.dump({"loop": name, "pinned": pinned, "device": torch.cuda.get_device_name(), "torch": torch.__version__,
                       "settled_s": settled_s, "blocks": blocks}, file, default=str)
        os.replace(into + ".new", into)

    blocks = Blocks(torch, name, names or [one for one in sets_of(loop) if one[0] != "+"], seconds, write, stand)
    if "steps" in loop:
        tick_after(loop["steps"], blocks)
    else:
        register_optimizer_step_post_hook(blocks.tick)
    count_epochs(torch, blocks)
    try:
        as_main(path, switched_code(loop), __switches__=blocks.switches)
    except Finished:
        pass
    finally:
        for one in awake:
            os.kill(one, signal.SIGKILL)


def child_record(name, script):
    prepare(name)
    as_main(script, compile(open(script).read(), script, "exec"))


def child_priced(loop, into, seconds, only):
    import measure
    sys.stdout = open(os.devnull, "w")
    random.seed(loop)
    measure.torch.manual_seed(0)
    result = measure.measure(loop, seconds, only)
    with open(into, "w") as file:
        json.dump({"machine": measure.machine(), "loops": [result]}, file, default=str)


def import_for(path, recorded):
    """What the script imports, before its turn comes; where it is recorded nothing that may start CUDA."""
    import torch  # noqa: F401
    import torch.optim  # noqa: F401
    for node in [] if recorded else ast.walk(ast.parse(open(path).read())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        for one in names:
            if importlib.util.find_spec(one.split(".")[0]):
                try:
                    module = importlib.import_module(one)
                    for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                        getattr(module, alias.name, None)  # transformers imports its models when they are asked for
                except ImportError as error:
                    print(f"{one}: {error}", file=sys.stderr)


def child(options):
    """Stands until it is told how long it has."""
    kind, name = options.child
    path = os.path.join(ROOT, LOOPS[name]["path"]) if kind in ("record", "blocks") else os.path.join(ROOT, "calib/validate", "loops" * (kind == "priced"), name + ".py")
    sys.path.insert(0, os.path.dirname(path))
    import_for(path, kind == "record")
    if kind == "priced":
        import measure  # noqa: F401
    if kind == "copies":
        import copies
    open(options.ready, "w").close()
    told = sys.stdin.readline()
    if not told:
        return

    def stand():
        open(options.ready + ".stands", "w").close()
        sys.stdin.readline()

    scratch = options.ready + ".d"
    os.makedirs(scratch, exist_ok=True)
    os.chdir(scratch)
    if kind == "record":
        child_record(name, options.script)
    elif kind == "copies":
        copies.main(options.into)
    elif kind == "priced":
        child_priced(name, options.into, float(told), options.sets)
    else:
        child_blocks(name, options.into, float(told), options.sets, options.pinned, stand if options.stands else None)
    sys.stderr.flush()
    os._exit(0)  # threads and loaders of a loop that was left in the middle


# ---- the parent ----

class Job:
    """A process, or one for each rank, that has imported all it needs, and waits for its turn."""

    def __init__(self, out, kind, name, label="", seconds=BLOCKS_S, sets=(), pinned=False, needs=LEAST_S, recording=None):
        self.out, self.kind, self.name, self.seconds, self.sets, self.pinned, self.needs = out, kind, name, seconds, list(sets), pinned, needs
        self.recording = recording  # whose turn it is once this one stands half-way
        self.label = label or f"{kind}.{name}"
        self.ranks = LOOPS[name].get("ranks", 1) if name in LOOPS else 1
        self.launched, self.processes = kind == "record" and self.ranks > 1, []  # torchrun starts its ranks when its turn comes
        self.log, self.recorded = os.path.join(out, "log", self.label + ".txt"), os.path.join(out, "r", name)

    def ready(self, rank=0):
        return os.path.join(self.out, "ready", self.label + (f".r{rank}" if rank else ""))

    def script(self):
        path = os.path.join(self.out, "src", self.name, os.path.basename(LOOPS[self.name]["path"]))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(loop_source(LOOPS[self.name], sets_of(LOOPS[self.name])["full"]))
        return path

    def command(self, syncl, rank):
        child = [sys.executable, os.path.abspath(__file__), self.out, "--child", self.kind, self.name, "--ready", self.ready(rank)]
        record = [syncl, "record", "--stop", "-o", self.recorded, "--"]
        if self.launched:
            return [*record, sys.executable, "-m", "torch.distributed.run", f"--nproc-per-node={self.ranks}", self.script()]
        if self.kind == "record":
            return [*record, *child, "--script", self.script()]
        into = os.path.join(self.out, self.label + (f".r{rank}" if rank else "") + ".json")
        return [*child, "--into", into, *(["--pinned"] if self.pinned else []), *(["--stands"] if self.recording else []),
                *(["--sets=" + ",".join(self.sets)] if self.sets else [])]

    def start(self, syncl, now=False):
        if self.launched and not now:
            self.syncl = syncl
            return
        for rank in range(1 if self.launched else self.ranks):
            more = {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(self.ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517"}
            with open(self.log, "a") as log:
                self.processes.append(subprocess.Popen(self.command(syncl, rank), stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
                                                       env=os.environ | (more if self.ranks > 1 and not self.launched else {})))

    def is_ready(self):
        if self.launched:
            return True
        return bool(self.processes) and all(os.path.exists(self.ready(rank)) or one.poll() is not None for rank, one in enumerate(self.processes))

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except OSError:
                    pass
                process.wait()
        if self.kind == "record":
            end_recorded(self.recorded)

    def say(self, text):
        for process in self.processes:
            process.stdin.write(text.encode())
            process.stdin.flush()

    def wait(self, seconds):
        until = time.monotonic() + seconds
        return max(process.wait(max(until - time.monotonic(), 0.1)) for process in self.processes)

    def stands(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and all(process.poll() is None for process in self.processes):
            if all(os.path.exists(self.ready(rank) + ".stands") for rank in range(self.ranks)):
                return True
            time.sleep(0.05)
        return False

    def go(self, turns):
        """Its exit status, or why it has none."""
        seconds = min(self.seconds, turns.left() - (RECORD_S if self.recording else 0))
        try:
            if self.launched:
                self.start(self.syncl, now=True)
            self.say(f"{seconds:.1f}\n" if not self.launched else "")
            if self.recording:
                if self.stands(seconds + LATE_S):
                    turns.take(self.recording.label, lambda: self.recording.go(turns))
                self.say("\n")
            return self.wait(max(1, min(turns.left(), self.seconds + LATE_S)))
        except subprocess.TimeoutExpired:
            return "too long"
        except OSError as error:
            return str(error)
        finally:
            self.end()


def jobs_of_recorded(out, name, seconds, compared):
    record = Job(out, "record", name, seconds=RECORD_S)
    yield record
    sides = ("full", "-all") if "-all" in sets_of(LOOPS[name]) else ("full", next(one for one in sets_of(LOOPS[name]) if one[0] == "-"))
    own = [Job(out, "blocks", name, f"own.{name}.{side}.{number}", OWN_S, [side])
           for number, side in enumerate((*sides, *sides[::-1]))] if compared else []
    yield from own[:2]
    yield Job(out, "blocks", name, seconds=seconds, recording=record, needs=seconds / 2 + RECORD_S)
    yield from own[2:]
    for side in sides if compared == "pinned" else ():
        yield Job(out, "blocks", name, f"pinned.{name}.{side}", OWN_S, [side], True)


def jobs_of_priced(out, name, compared, seconds=PRICED_S):
    own = [Job(out, "priced", name, f"own.{name}.{change}.{number}", OWN_S, [change]) for number, change in enumerate((*compared, *compared[::-1]))]
    yield from own[:2]
    yield Job(out, "priced", name, seconds=seconds)
    yield from own[2:]


def named(only):
    """{record.NAME: (seconds of its blocks, what they are compared with)} of loops that run only when asked for."""
    usual = {**RECORDED, **RECORDED_LATER}
    for one, _, seconds in (each.removeprefix("record.").partition("=") for each in only if each.startswith("record.")):
        yield one, (float(seconds or usual.get(one, (NAMED_S,))[0]), usual.get(one, (0, ""))[1])


def jobs_of(out, only):
    if not only or "copies" in only:
        yield Job(out, "copies", "copies", seconds=8)
    for recorded, priced in ((dict(named(only)) if only else RECORDED, PRICED), ({} if only else RECORDED_LATER, PRICED_LATER)):
        for name, (seconds, compared) in recorded.items():
            yield from jobs_of_recorded(out, name, seconds, compared)
        for name, compared in ({} if only else priced).items():
            yield from jobs_of_priced(out, name, compared)
    for name, _, seconds in (one.removeprefix("priced.").partition("=") for one in only if one.startswith("priced.")):
        yield from jobs_of_priced(out, name, (PRICED | PRICED_LATER).get(name, ()), float(seconds or PRICED_S))


def start_all(jobs, syncl, until):
    waiting = list(jobs)
    starting = []
    while (waiting or starting) and time.monotonic() < until:
        starting = [job for job in starting if not job.is_ready()]
        while waiting and len(starting) < STARTING:
            starting.append(waiting.pop(0))
            starting[-1].start(syncl)
        time.sleep(0.1)


def touch_memory(gigabytes=3, processes=4):
    """A virtual machine's memory that was never used takes long to come; a user's was used."""
    code = f"b = bytearray({gigabytes} << 30); b[::4096] = bytes(len(b) >> 12)"
    return [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(processes)]


def end_by(process, until):
    try:
        process.wait(max(until - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def calibrate(out, syncl, seconds):
    command = [os.path.join(os.path.dirname(syncl), "syncl-calibrate"), "--with-torch", sys.executable, "--even-if-busy", "-o", os.path.join(out, "machine.json")]
    with open(os.path.join(out, "log", "calibrate.txt"), "w") as log:
        try:
            return subprocess.run(command, stdout=log, stderr=log, timeout=max(seconds, 1)).returncode
        except subprocess.TimeoutExpired:
            return "too long"


class Turns:
    """Who ran when, within the time that there is."""

    def __init__(self, out, seconds):
        self.began, self.seconds = time.monotonic(), seconds
        self.rows = open(os.path.join(out, "jobs.tsv"), "w")
        print("job", "began_s", "took_s", "status", "load", sep="\t", file=self.rows, flush=True)

    def spent(self):
        return time.monotonic() - self.began

    def left(self):
        return self.seconds - self.spent()

    def take(self, label, run):
        begin = self.spent()
        status = run()
        load = os.getloadavg()[0]
        print(label, f"{begin:.1f}", f"{self.spent() - begin:.1f}", status, f"{load:.1f}", sep="\t", file=self.rows, flush=True)
        print(label, f"{begin:.1f} s", status, flush=True)


def prepared(jobs, out, turns, options):
    """All processes stand; memory was touched, and what torch.compile makes is kept for the loop that needs it."""
    touching = touch_memory() if options.seconds > 200 else []
    warm = Job(out, "blocks", "compiled", "warm", 1, ["full"]) if any(job.name == "compiled" for job in jobs) else None
    if warm:
        warm.start(options.syncl)
        warm.say("1\n")
    start_all(jobs, options.syncl, turns.began + min(120, options.seconds / 2))
    for one in touching + (warm.processes if warm else []):
        end_by(one, turns.began + min(110, options.seconds / 3))
    return sum(job.is_ready() for job in jobs)


def run_all(out, options):
    for folder in ("ready", "log", "r"):
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    os.environ.update(PYTHONDONTWRITEBYTECODE="1", TORCHINDUCTOR_CACHE_DIR=os.path.join(out, "ready", "inductor"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    jobs, turns = list(jobs_of(out, options.only)), Turns(out, options.seconds)
    try:
        turns.take("imports", lambda: prepared(jobs, out, turns, options))
        if not options.no_calibration:
            turns.take("calibrate", lambda: calibrate(out, options.syncl, min(75, turns.left())))
        inside = [job.recording for job in jobs]
        for job in jobs:
            if job not in inside and job.processes and turns.left() >= max(job.needs + 6, job.seconds + 8):
                turns.take(job.label, lambda: job.go(turns))
                job.end()
    finally:
        for job in jobs:
            job.end()
    print(f"{turns.spent():.0f} s in all", flush=True)
    shutil.rmtree(os.path.join(out, "ready"), ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=570)
    parser.add_argument("--only", nargs="*", default=[], help="record.NAME, record.NAME=SECONDS of blocks, priced.NAME, priced.NAME=SECONDS, copies")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--no-calibration", action="store_true")
    for one in ("ready", "into", "script"):
        parser.add_argument("--" + one, help=argparse.SUPPRESS)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=[], help=argparse.SUPPRESS)
    for one in ("--pinned", "--stands"):
        parser.add_argument(one, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out, options.syncl = os.path.abspath(options.out), os.path.abspath(options.syncl)
    return child(options) if options.child else run_all(options.out, options)


if __name__ == "__main__":
    sys.exit(main())
