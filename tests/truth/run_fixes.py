#!/usr/bin/env python3
"""What --fix does to whole programs, on a GPU: the same printed numbers, fewer waits, and the gain beside the one that was told.

    python3 tests/truth/run_fixes.py OUT.tsv [--syncl build/syncl] [--jobs 12] [--lanes 4] [--total 240] [--timed 90] [--only NAME ...]

Each script of corpus/scripts and each project of projects/ and projects2/ for which `syncl --fix-only` mends something runs as it is, as it
is once more (the control), and mended, with the same seeds; each wait is counted (run_projects.py's recorder). Then, while there is time,
the programs with a step of training run in one process each, before and after taking turns, and the time between two calls of
Optimizer.step() is measured. Rows of OUT (tab separated):
    F program mended files low_us high_us          the fixes, and what a step of training should gain by them
    P program side seconds error waits             a run: before, again, after
    L program verdict numbers differing            of the numbers printed that both runs before have in common: how many there are, and how many
                                                   the run after has otherwise
    W program file line before after               waits of a line, where a run mended differs
    T program side round steps median_us mean_us   one timed run, its first third left out
    G program low_us high_us gain_us spread_us     told, measured (medians of the rounds), and how far runs of the same side lie apart
Exit 1 where a number differs that is the same in both runs before."""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from run_projects import HERE, words_of

ROOT = os.path.dirname(os.path.dirname(HERE))
OPTIONS = ["--isolated", "--no-cache", "--exit-zero", "--min-confidence=possible"]
LIMIT = 45       # seconds a run
CHOSEN = 16      # programs that are timed
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*\d)")
HOOK = """import os, sys
if os.environ.get("FIXES_ROOT") and any(w.endswith(".py") and os.path.abspath(w).startswith(os.environ["FIXES_ROOT"] + os.sep) or w == "-m" for w in sys.orig_argv[1:]):
    sys.path.insert(0, {here!r})
    import run_fixes
    sys.path.remove({here!r})
    run_fixes.start_here()
"""


# ---------------------------------------------------------------- in the programs' processes

def seed():
    import random

    import numpy
    import torch
    random.seed(1), numpy.random.seed(1), torch.manual_seed(1)


def start_here():
    """Called as a program starts: the same numbers each time, and its waits written down at its end."""
    import atexit
    import threading

    import torch

    from run_projects import ProjectRecorder
    seed()
    torch.backends.cudnn.benchmark = False
    torch.use_deterministic_algorithms(True, warn_only=True)
    owner, recorder = os.getpid(), ProjectRecorder(os.environ["FIXES_ROOT"])
    if torch.cuda.is_available():
        recorder.watch_waits()
        torch.cuda.set_sync_debug_mode_ = torch.cuda.set_sync_debug_mode
        torch.cuda.set_sync_debug_mode = lambda mode: None  # the program's own would end ours

    def write():
        if os.getpid() == owner:
            with open(os.path.join(os.environ["FIXES_RECORDS"], str(owner)), "w") as file:
                json.dump([[key[0], key[1], count] for key, count in recorder.waits.items()], file)
    atexit.register(write)
    timer = threading.Timer(LIMIT, lambda: (write(), os._exit(124)))
    timer.daemon = True
    timer.start()


def timed(spec):
    """In a process of its own: both sides take turns, each whole, and what lies between steps of the optimizer is written."""
    import runpy

    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook
    stamps, end = [], time.time() + spec["seconds"]
    register_optimizer_step_post_hook(lambda *_: stamps.append(time.perf_counter()))
    out = open(spec["out"], "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    turns = ["before", "after", "after", "before"]
    for turn in range(-1, 40):  # the first run is not counted
        side = turns[turn % 4] if turn >= 0 else "before"
        root = spec[side]
        os.chdir(root)
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(os.path.dirname(root) + os.sep):
                del sys.modules[name]
        sys.path[:] = [root] + [path for path in sys.path if path not in (spec["before"], spec["after"])]
        sys.argv = list(spec["words"])
        stamps.clear()
        seed()
        try:
            runpy.run_path(os.path.join(root, spec["words"][0]), run_name="__main__")
        except SystemExit:
            pass
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        late = stamps[len(stamps) // 3:]
        gaps = [b - a for a, b in zip(late, late[1:])]
        if turn >= 0 and len(gaps) > 3:
            print(side, turn, len(gaps), round(statistics.median(gaps) * 1e6, 1), round((late[-1] - late[0]) / len(gaps) * 1e6, 1), sep="\t", file=out, flush=True)
        if time.time() > end and turn % 2 == 1:
            break


# ---------------------------------------------------------------- the programs, before and after

Program = collections.namedtuple("Program", "name folder words environment mended files told")


def sources():
    """(name, folder, words, environment) of each."""
    scripts = os.path.join(ROOT, "corpus", "scripts")
    for line in open(os.path.join(ROOT, "corpus", "run.tsv")):
        name, _, arguments = line.rstrip("\n").partition("\t")
        if name and not name.startswith("#"):
            words = arguments.split()
            environment = dict(word.split("=", 1) for word in words if re.fullmatch(r"[A-Z_]+=.*", word))
            yield name, (scripts, name + ".py"), [name + ".py", *(w for w in words if not re.fullmatch(r"[A-Z_]+=.*", w))], environment
    for folder in ("projects", "projects2"):
        for name in sorted(os.listdir(os.path.join(HERE, folder))):
            project = os.path.join(HERE, folder, name)
            if os.path.isdir(project):
                environment, words = words_of(project)
                yield name, (project, None), words, environment


def told(syncl, root):
    """What all waits of a step of training cost, low and high."""
    ran = subprocess.run([syncl, *OPTIONS, "--output-format=json", "."], cwd=root, capture_output=True, check=True)
    loops = [loop for loop in json.loads(ran.stdout)["loops"] if loop["unit"] == "step" and loop["all"]]
    return max(((loop["all"]["low_us"], loop["all"]["high_us"]) for loop in loops), key=sum, default=(0, 0))


def prepared(syncl, top, name, source, words, environment):
    """Both sides in folders of their own, a fresh one a program (corpus/scripts and projects/ both have a ddpm); None where nothing is mended."""
    folder, only = source
    top = tempfile.mkdtemp(dir=top)
    before, after = (os.path.join(top, name, side, name) for side in ("before", "after"))
    if only:
        os.makedirs(before)
        shutil.copy(os.path.join(folder, only), before)
    else:
        shutil.copytree(folder, before)
    shutil.copytree(before, after)
    ran = subprocess.run([syncl, *OPTIONS, "--fix-only", "."], cwd=after, capture_output=True, text=True)
    said = re.search(r"mended (\d+) findings? in (\d+)", ran.stderr)
    if not said or said[1] == "0":
        return None
    (low, high), (low_after, high_after) = told(syncl, before), told(syncl, after)
    gain = sorted((max(0.0, low - low_after), max(0.0, high - high_after)))
    return Program(name, os.path.join(top, name), words, environment, int(said[1]), int(said[2]), gain)


def environment_of(program, **more):
    env = dict(os.environ, OMP_NUM_THREADS="2", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", MPLBACKEND="Agg", WANDB_MODE="disabled",
               PYTHONDONTWRITEBYTECODE="1", PYTHONUNBUFFERED="1", CUBLAS_WORKSPACE_CONFIG=":4096:8", PYTHONHASHSEED="0", **program.environment)
    env.update(more)
    return env


def run(program, side):
    """(seconds, error, waits by (file, line), what was printed)"""
    root = os.path.join(program.folder, "after" if side == "after" else "before", program.name)
    with tempfile.TemporaryDirectory() as folder:
        hook, records, here = (os.path.join(os.path.realpath(folder), part) for part in ("hook", "records", program.name))
        os.mkdir(hook), os.mkdir(records), shutil.copytree(root, here)
        with open(os.path.join(hook, "sitecustomize.py"), "w") as file:
            file.write(HOOK.format(here=HERE))
        env = environment_of(program, FIXES_ROOT=here, FIXES_RECORDS=records)
        env["PYTHONPATH"] = os.pathsep.join([hook, *filter(None, [env.get("PYTHONPATH")])])
        start, error = time.time(), "-"
        with open(os.path.join(folder, "said"), "w+b") as heard, open(os.path.join(folder, "errors"), "w+b") as errors:
            child = subprocess.Popen([sys.executable, *program.words], cwd=here, env=env, stdin=subprocess.DEVNULL, stdout=heard, stderr=errors, start_new_session=True)
            try:
                error = f"exit {child.wait(LIMIT + 20)}"
            except subprocess.TimeoutExpired:
                error = "killed"
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            heard.seek(0), errors.seek(0)
            said, complaints = heard.read().decode(errors="replace"), errors.read().decode(errors="replace")
        if error == "exit 0":
            error = "-"
        elif error != "-":
            error += " " + complaints.strip().split("\n")[-1].replace("\t", " ")[:160]
        waits = collections.Counter()
        for name in os.listdir(records):
            for file, line, count in json.load(open(os.path.join(records, name))):
                waits[(file, line)] += count
        return time.time() - start, error, waits, said


def numbers(said):
    return NUMBER.findall(said)


def compared(before, again, after):
    """Of the numbers that both runs before print at the same place: how many there are, and which differ after."""
    a, b, c = numbers(before), numbers(again), numbers(after)
    if len(a) != len(b):
        return "not comparable", 0, []
    if len(a) != len(c):
        return "differs", len(a), [f"{len(a)} numbers became {len(c)}"]
    same = [i for i in range(len(a)) if a[i] == b[i]]
    wrong = [f"{a[i]} became {c[i]}" for i in same if a[i] != c[i]]
    return "differs" if wrong else "same", len(same), wrong


# ---------------------------------------------------------------- the runner

def time_program(program, seconds, cores):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        spec = dict(before=os.path.join(program.folder, "before", program.name), after=os.path.join(program.folder, "after", program.name),
                    words=program.words, seconds=seconds, out=out)
        command = [sys.executable, os.path.join(HERE, "run_fixes.py"), "--child", json.dumps(spec)]
        if shutil.which("taskset"):
            command = ["taskset", "-c", cores, *command]
        child = subprocess.Popen(command, env=environment_of(program), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            child.wait(seconds + 40)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        rows = [line.rstrip("\n").split("\t") for line in open(out)] if os.path.exists(out) else []
        return [("T", program.name, *row) for row in rows]


def gain_row(program, rows):
    by = collections.defaultdict(list)
    for row in rows:
        by[row[2]].append(float(row[5]))
    if not by["before"] or not by["after"]:
        return None
    spread = max(max(values) - min(values) for values in by.values())
    gain = statistics.median(by["before"]) - statistics.median(by["after"])
    return ("G", program.name, *(f"{us:.1f}" for us in (*program.told, gain, spread)))


def compare_all(programs, jobs, end, emit):
    wrong, waits = 0, {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = {(p.name, side): pool.submit(lambda p=p, side=side: run(p, side) if time.time() < end else None) for p in programs for side in ("before", "again", "after")}
        for program in programs:
            results = {side: runs[(program.name, side)].result() for side in ("before", "again", "after")}
            if not all(results.values()):
                emit("P", program.name, "-", "0", "not started: the time is over", "-")
                continue
            for side, (seconds, error, seen, _) in results.items():
                emit("P", program.name, side, f"{seconds:.1f}", error, sum(seen.values()))
            verdict, count, differing = compared(*(results[side][3] for side in ("before", "again", "after")))
            emit("L", program.name, verdict, count, "; ".join(differing[:6]) or "-")
            wrong += verdict == "differs"
            before, after = results["before"][2], results["after"][2]
            waits[program.name] = sum(before.values()) - sum(after.values())
            for file, line in sorted(set(before) | set(after)):
                if before[(file, line)] != after[(file, line)]:
                    emit("W", program.name, file, line, before[(file, line)], after[(file, line)])
    return wrong, waits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", nargs="?")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--lanes", type=int, default=4)
    parser.add_argument("--total", type=float, default=240)
    parser.add_argument("--timed", type=float, default=90)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        timed(json.loads(options.child))
        return 0
    syncl, end = os.path.abspath(options.syncl), time.time() + options.total
    with tempfile.TemporaryDirectory() as top, open(options.out, "w") as file:
        def emit(*row):
            print(*row, sep="\t", file=file, flush=True)
        top = os.path.realpath(top)
        chosen = [source for source in sources() if not options.only or source[0] in options.only]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            programs = [p for p in pool.map(lambda source: prepared(syncl, top, *source), chosen) if p and p.words]
        for p in programs:
            emit("F", p.name, p.mended, p.files, *(f"{us:.1f}" for us in p.told))
        wrong, waits = compare_all(programs, options.jobs, end - options.timed - LIMIT / 2, emit)
        stepping = sorted((p for p in programs if p.told[1] > 0 and p.words[0] != "-m"), key=lambda p: -p.told[1])[:CHOSEN]
        shifts = -(-len(stepping) // options.lanes) or 1
        seconds = max(8.0, (end - time.time()) / shifts - 12)
        cpus = sorted(os.sched_getaffinity(0))
        each = max(1, len(cpus) // options.lanes)
        with concurrent.futures.ThreadPoolExecutor(options.lanes) as pool:
            lanes = [pool.submit(lambda lane=lane: [(p, time_program(p, seconds, ",".join(map(str, cpus[lane * each:(lane + 1) * each] or cpus))))
                                                    for p in stepping[lane::options.lanes] if time.time() + 15 < end]) for lane in range(options.lanes)]
            for lane in concurrent.futures.as_completed(lanes):
                for program, rows in lane.result():
                    for row in rows:
                        emit(*row)
                    gain = gain_row(program, rows)
                    if gain:
                        emit(*gain)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
