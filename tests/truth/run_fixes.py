#!/usr/bin/env python3
"""What --fix does to whole programs, on a GPU: the same printed numbers, fewer waits, and the gain beside the one that was told.

    python3 tests/truth/run_fixes.py OUT.tsv [--syncl build/syncl] [--jobs 12] [--total 240] [--only NAME ...] [--keep FOLDER]
    python3 tests/truth/run_fixes.py OUT.tsv --timed-only NAME ... [--total 250]
    python3 tests/truth/run_fixes.py --table OUT.tsv [TIMED.tsv] > tests/truth/fixes.tsv

Each script of corpus/scripts and each project of projects/ and projects2/ for which `syncl --fix-only --all-fixes` mends something runs as it is, as it
is once more (the control), and mended, with the same seeds; each wait is counted (run_projects.py's recorder), and what is printed is kept.
cudnn.benchmark stays off on both sides, as it picks kernels by how long they take. Of what is printed, times, dates and rates are left out.
Where a number is the same in both runs before and another one mended, both sides run three times more: what PyTorch adds up in no fixed order agrees in two runs by chance. With --timed-only, those programs alone, each in one process
with the GPU to itself: before and after take turns, 12 rounds of each at least, the first not counted, and the time between two calls
of Optimizer.step() is measured. Rows of OUT (tab separated):
    F program mended files low_us high_us          the fixes, and what a step of training should gain by them
    P program side seconds error waits             a run: before, again, after, and those that were asked for more
    D program operations                           those that PyTorch says give other bits each time
    L program verdict numbers differing            of the numbers printed that all runs before have in common: how many there are, and how many
                                                   a run after has otherwise
    W program file line before after               waits of a line, where a run mended differs
    T program side round steps median_us mean_us   one timed run, its first third left out
    G program low_us high_us gain_us from_us to_us same_us rounds
                                                   told, measured (the median of the differences of neighbouring rounds, and where it lies in 95 of 100
                                                   draws of them), and the same between the runs before alone
Exit 1 where a number differs that is the same in all runs before."""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import random
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
ROUNDS = 12      # of each side, where a program is timed
MORE = 3         # runs of each side, where a number differs
TIMES = re.compile(r"""\d{4}-\d\d-\d\d | \d+:\d\d(:\d\d)?([.,]\d+)?                             # 2026-11-23, 1:02, 00:01:02,123
    | \b[\d.,]+(?:e[-+]\d+)?\s*(?:s|ms|us|min|h|secs?|seconds?|minutes?|hours?|s\s?/\s?it|it\s?/\s?s)\b(?!\s?/\s?(?!it))   # 0.3s, 12 ms, 1.5 s / it
    | \b[\d.,]+(?:e[-+]\d+)?\s*\w*\s?/\s?(?:s|sec|second)\b(?!\s*[:=]?\s*\d)                                         # 11,207 img/s, 1.2e+01 steps/s
    | \b\w+\s?/\s?(?:s|sec|second)\b[:=]?\s*[\d.,]+(?:e[-+]\d+)?                                                     # tok/s 11,207
    | \b(?:data|batch)\s\(t\):\s*[\d.]+ | \b(?:time|data)\s+[\d.]+\s\([\d.]+\)                                           # Data (t): 0.001, Data 0.001 (0.002)
    | \b(?:\w*time|eta|elapsed|took|fps|speed|duration)\b\s*[:=]?\s*[\d.,]+(?:e[-+]\d+)?""", re.X | re.I)
BARS = re.compile(r"%\||it/s|s/it|\r")  # they say as many numbers as they had time for
ORDERLESS = re.compile(r"(?:UserWarning: )?(\S+) does not have a deterministic implementation")
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


def keep_kernels(torch):
    """Which kernel runs hangs on no clock, whatever the program says: it may set cudnn.benchmark, and reads False."""
    torch.backends.cudnn.benchmark = False
    torch._C._set_cudnn_benchmark = lambda value: None
    type(torch.backends.cudnn).benchmark = property(lambda module: False, lambda module, value: None)


def start_here():
    """Called as a program starts: the same numbers each time, and its waits written down at its end."""
    import atexit
    import threading

    import torch

    from run_projects import ProjectRecorder
    seed()
    keep_kernels(torch)
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
    for turn in range(-1, 400):  # the first run is not counted
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
        if turn > 0 and turn % 2 == 1 and (time.time() > end or turn + 1 >= 2 * spec["rounds"]):
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
    ran = subprocess.run([syncl, *OPTIONS, "--fix-only", "--all-fixes", "."], cwd=after, capture_output=True, text=True)
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
    """(seconds, error, waits by (file, line), (printed, logged), what has no fixed order)"""
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
        logged = "\n".join(line.replace(folder, "") for line in complaints.split("\n") if not BARS.search(line))
        return time.time() - start, error, waits, (said, logged), sorted(set(ORDERLESS.findall(complaints)))


def numbers(said):
    return NUMBER.findall(TIMES.sub("", said))


def other_line(said):
    """The first line that holds more or fewer numbers in some run after than in the first before."""
    befores, afters = said
    lines = befores[0].split("\n")
    for after in afters:
        for a, b in itertools.zip_longest(lines, after.split("\n"), fillvalue=""):
            if len(numbers(a)) != len(numbers(b)):
                return f"{a[:80]!r} became {b[:80]!r}"
    return "-"


def compared(befores, afters):
    """Of the numbers that all runs before print at the same place: how many there are, and which differ after; None: they print not as many each."""
    said = befores, afters
    befores, afters = [numbers(one) for one in befores], [numbers(one) for one in afters]
    first = befores[0]
    if any(len(one) != len(first) for one in befores):
        return None
    if any(len(one) != len(first) for one in afters):
        return len(first), [f"{len(first)} numbers became {'/'.join(str(len(one)) for one in afters)}: {other_line(said)}"]
    same = [i for i in range(len(first)) if all(one[i] == first[i] for one in befores)]
    return len(same), [f"{first[i]} became {'/'.join(sorted({one[i] for one in afters}))}" for i in same if any(one[i] != first[i] for one in afters)]


def judged(runs):
    """(verdict, how many numbers, which differ), of what is printed and of what is logged."""
    sides = [[ran[3] for side, ran in runs if (side == "after") == after] for after in (False, True)]
    channels = [compared(*([said[channel] for said in side] for side in sides)) for channel in (0, 1)]
    told = [channel for channel in channels if channel]
    wrong = [what for _, whats in told for what in whats]
    return "differs" if wrong else "same" if told else "not comparable", sum(count for count, _ in told), wrong


# ---------------------------------------------------------------- the runner

def time_program(program, seconds):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        spec = dict(before=os.path.join(program.folder, "before", program.name), after=os.path.join(program.folder, "after", program.name),
                    words=program.words, seconds=seconds, rounds=ROUNDS, out=out)
        command = [sys.executable, os.path.join(HERE, "run_fixes.py"), "--child", json.dumps(spec)]
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
    """What neighbouring rounds differ by; of the runs before, each second one against the one before it."""
    by = {side: [float(row[5]) for row in rows if row[2] == side] for side in ("before", "after")}
    gains = [a - b for a, b in zip(by["before"], by["after"])]
    if not gains:
        return None
    draws = random.Random(1)
    middles = sorted(statistics.median(draws.choices(gains, k=len(gains))) for _ in range(2000))
    same = [abs(a - b) for a, b in zip(by["before"][::2], by["before"][1::2])] or [0.0]
    numbers = (*program.told, statistics.median(gains), middles[50], middles[1949], statistics.median(same))
    return ("G", program.name, *(f"{us:.1f}" for us in numbers), len(gains))


def run_sides(program, end):
    """[(side, what run() gives)], as many as it takes; none where the time is over. One after the other: two may want the same port."""
    runs = []
    for side in ("before", "again", "after"):
        if time.time() > end:
            return []
        runs.append((side, run(program, side)))
    if judged(runs)[0] == "differs":
        for turn in range(2 * MORE):
            if time.time() < end:
                runs.append(("again" if turn % 2 else "after", run(program, "again" if turn % 2 else "after")))
    return runs


def tell(program, runs, keep, emit):
    for turn, (side, (seconds, error, seen, said, _)) in enumerate(runs):
        emit("P", program.name, side, f"{seconds:.1f}", error, sum(seen.values()))
        if keep:
            with open(os.path.join(keep, f"{program.name}.{turn}.{side}.txt"), "w") as file:
                file.write("\n".join(said))
    orderless = sorted({name for _, ran in runs for name in ran[4]})
    if orderless:
        emit("D", program.name, " ".join(orderless))
    verdict, count, differing = judged(runs)
    emit("L", program.name, verdict, count, "; ".join(differing) or "-")
    before, after = runs[0][1][2], runs[2][1][2]
    for file, line in sorted(set(before) | set(after)):
        if before[(file, line)] != after[(file, line)]:
            emit("W", program.name, file, line, before[(file, line)], after[(file, line)])
    return verdict == "differs"


def compare_all(programs, jobs, end, keep, emit):
    wrong = 0
    if keep:
        os.makedirs(keep, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for program, runs in zip(programs, pool.map(lambda program: run_sides(program, end), programs)):
            if runs:
                wrong += tell(program, runs, keep, emit)
            else:
                emit("P", program.name, "-", "0", "not started: the time is over", "-")
    return wrong


def time_all(programs, end, emit):
    for number, program in enumerate(programs):
        rows = time_program(program, max(8.0, (end - time.time()) / (len(programs) - number) - 3))
        for row in rows:
            emit(*row)
        gain = gain_row(program, rows)
        emit(*(gain or ("G", program.name, *(f"{us:.1f}" for us in program.told), *"----0")))


def read_rows(paths):
    rows = collections.defaultdict(dict)
    for path in paths:
        for line in open(path):
            kind, name, *rest = line.rstrip("\n").split("\t")
            if kind in "FLGD":
                rows[name][kind] = rest
            elif kind == "P" and (kind, rest[0]) not in rows[name]:
                rows[name][(kind, rest[0])] = rest
    return rows


def print_table(paths):
    """A row a program."""
    print("program", "fixes", "waits_before", "waits_after", "numbers", "verdict", "told_low_us", "told_high_us", "gain_us", "gain_from_us", "gain_to_us", "same_us", "rounds", sep="\t")
    for name, row in read_rows(paths).items():
        if "F" in row and "L" in row:
            gain = row["G"][2:] if len(row.get("G", ())) == 7 else ["-"] * 5
            print(name, row["F"][0], row[("P", "before")][3], row[("P", "after")][3], row["L"][1], row["L"][0], *row["F"][2:], *gain, sep="\t")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", nargs="?")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--total", type=float, default=240)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--timed-only", nargs="+", default=[])
    parser.add_argument("--keep")
    parser.add_argument("--table", nargs="+")
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        timed(json.loads(options.child))
        return 0
    if options.table:
        print_table(options.table)
        return 0
    syncl, end, names = os.path.abspath(options.syncl), time.time() + options.total, options.timed_only or options.only
    with tempfile.TemporaryDirectory() as top, open(options.out, "w") as file:
        def emit(*row):
            print(*row, sep="\t", file=file, flush=True)
        top = os.path.realpath(top)
        chosen = [source for source in sources() if not names or source[0] in names]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            programs = [p for p in pool.map(lambda source: prepared(syncl, top, *source), chosen) if p and p.words]
        for p in programs:
            emit("F", p.name, p.mended, p.files, *(f"{us:.1f}" for us in p.told))
        if options.timed_only:
            time_all([p for p in programs if p.words[0] != "-m"], end, emit)
            return 0
        wrong = compare_all(programs, options.jobs, end - LIMIT / 2, options.keep, emit)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
