#!/usr/bin/env python3
"""Run real libraries on a GPU as their documentation says; record every wait and every line that ran.

    python3 tests/truth/run_real.py OUT.tsv.gz FOLDER [--jobs 8] [--only NAME ...] [--shim waits_shim.so] [--limit 120]

FOLDER, which is called real-packages, holds the unpacked packages of real/packages.txt that the machine lacks; each script of real/
(TRUTH_REAL=real2 in the environment: of real2/) runs in a process of its own,
its functions one after the other, a failing one reported and passed over. Rows of OUT (tab separated):
    F script function error     a function that failed
    S file sha256[:16] first-last ...   a file, and its lines that ran twice or more in one script
    W file line col end_line end_col kind count stack
A wait stands at the innermost frame outside of torch and of this file, with the instruction's own place; kind is
debug (torch's debug mode), explicit (calls that wait without it) or runtime (waits_shim.c alone), with "+backward" inside of
a backward pass; the stack is that frame and those that called it, innermost first, a file being the number of its S row, from 0 (or its name, if not recorded).
"""
import argparse
import collections
import concurrent.futures
import gzip
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SYNC_TEXT = "called a synchronizing CUDA operation"
STACK = 8
REAL = os.path.join(HERE, os.environ.get("TRUTH_REAL", "real"))
PACKAGES = set(open(os.path.join(REAL, "packages.txt")).read().split())


def short(path):
    """packages/file.py below the folder of packages, else the file's name."""
    for mark in ("/site-packages/", "/real-packages/"):
        if mark in path:
            return path.split(mark)[-1]
    return os.path.relpath(path, HERE) if path.startswith(HERE) else path


def place_of(frame):
    """line, column, end line, end column (from 0, in bytes) of the expression that a frame is at."""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    return tuple(p or 0 for p in (positions[0] or frame.f_lineno, positions[2], positions[1], positions[3]))


def is_backward(code):
    return code.co_name == "backward" and code.co_filename.endswith(("torch/_tensor.py", "torch/autograd/__init__.py"))


class Recorder:
    def __init__(self):
        self.waits, self.lines = collections.Counter(), collections.Counter()
        self.known = {}
        self.torch = os.path.dirname(sys.modules["torch"].__file__) + os.sep

    def named(self, path):
        return short(path)

    def is_recorded(self, path):
        name = self.named(path)
        return name.startswith(os.path.basename(REAL) + "/") or name.split("/")[0] in PACKAGES

    def outside(self, path):
        """Shortened name of a file; None for torch and what stands between it and us."""
        if path not in self.known:
            out = path.startswith(self.torch) or path == __file__ or path.endswith("/warnings.py") or path.startswith("<") or "/contextlib.py" in path
            self.known[path] = None if out else self.named(path)
        return self.known[path]

    def wait(self, kind, frame):
        backward, stack, place = False, [], (0, 0, 0, 0)
        while frame is not None:
            name = self.outside(frame.f_code.co_filename)
            if name is None:
                backward |= is_backward(frame.f_code)
            else:
                if not stack:
                    place = place_of(frame)
                if len(stack) < STACK:
                    stack.append(f"{name}:{frame.f_lineno}")
            frame = frame.f_back
        self.waits[(stack[0].rsplit(":", 1)[0] if stack else "?", *place, kind + "+backward" * backward, " ".join(stack))] += 1

    def watch_call(self, owner, name):
        inner = getattr(owner, name)

        def wrapper(*args, **kwargs):
            self.wait("explicit", sys._getframe(1))
            return inner(*args, **kwargs)
        setattr(owner, name, wrapper)

    def watch_waits(self):
        import warnings

        import torch

        def show(message, category, filename, lineno, file=None, line=None):
            if SYNC_TEXT in str(message):
                self.wait("debug", sys._getframe(1))
        for owner in (torch.cuda, torch.cuda.Event, torch.cuda.Stream, torch.accelerator):
            self.watch_call(owner, "synchronize")
        torch.zeros(4, device="cuda").sum().item()
        warnings.showwarning = show
        warnings.filterwarnings("always", message=".*" + SYNC_TEXT)
        warnings.simplefilter = lambda *args, **kwargs: None  # libraries that silence warnings would silence the debug mode
        warnings.filterwarnings = lambda *args, **kwargs: None
        torch.cuda.set_sync_debug_mode("warn")

    def watch_runtime(self, shim):
        import ctypes

        def note(api):
            try:
                self.wait("runtime", sys._getframe(1))
            except ValueError:
                self.wait("runtime+backward", None)
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_int)(note)
        ctypes.CDLL(shim).truth_set_callback(self.callback)

    def watch_lines(self):
        monitoring = sys.monitoring
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "real")
        recorded, lines, disable = {}, self.lines, monitoring.DISABLE

        def line_ran(code, line):
            path = code.co_filename
            if path not in recorded:
                recorded[path] = self.is_recorded(path)
            if not recorded[path]:
                return disable
            lines[(path, line)] += 1
            return None
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, line_ran)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)

    def rows(self, script):
        files = collections.defaultdict(dict)
        for (path, line), count in self.lines.items():
            if count >= 2:
                files[path][line] = count
        for path, counts in sorted(files.items()):
            with open(path, "rb") as file:
                yield "S", script, short(path), hashlib.sha256(file.read()).hexdigest()
            yield "L", script, short(path), " ".join(f"{line}:{count}" for line, count in sorted(counts.items()))
        for key, count in sorted(self.waits.items()):
            yield ("W", script, *key[:6], count, key[6])


class TooLong(BaseException):
    pass


def run_one(script, out, folder, limit, seconds, only):
    """The script's functions, one after the other, in this process."""
    import importlib.util
    import signal
    import traceback
    import types

    sys.path.insert(0, os.path.join(REAL, "fakes"))
    sys.path.insert(0, folder)
    import torch
    torch.manual_seed(0)
    recorder, failed, start = Recorder(), [], time.time()
    os.chdir(tempfile.mkdtemp())
    if torch.cuda.is_available():
        recorder.watch_waits()
        if os.environ.get("TRUTH_SHIM"):
            recorder.watch_runtime(os.environ["TRUTH_SHIM"])
    recorder.watch_lines()

    def ring(*_):
        raise TooLong()
    signal.signal(signal.SIGALRM, ring)

    def guarded(name, work, most=limit):
        signal.alarm(max(1, min(most, int(seconds - 12 - (time.time() - start)))))
        try:
            return work()
        except SystemExit as stop:
            if stop.code:
                failed.append((name, f"exit {stop.code}"))
        except BaseException as error:
            place = " < ".join(f"{short(f.filename)}:{f.lineno}" for f in reversed(traceback.extract_tb(error.__traceback__)[-4:]))
            failed.append((name, f"{type(error).__name__}: {error} | {place}".replace("\n", " ").replace("\t", " ")[:400]))
        finally:
            signal.alarm(0)
        return None
    path = os.path.join(REAL, script + ".py")
    spec = importlib.util.spec_from_file_location("real_" + script, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    guarded("import", lambda: spec.loader.exec_module(module), seconds)
    works = [f for name, f in vars(module).items() if isinstance(f, types.FunctionType) and not name.startswith("_")
             and f.__module__ == spec.name and not f.__code__.co_argcount and (not only or name in only)]
    for work in works:
        if time.time() - start > seconds - 15:
            failed.append((work.__name__, "not started: the script's time is over"))
        else:
            guarded(work.__name__, work)
    sys.monitoring.set_events(sys.monitoring.COVERAGE_ID, 0)
    if torch.cuda.is_available():
        torch.cuda.set_sync_debug_mode(0)
    with open(out, "w") as file:
        for name, error in failed:
            print("F", script, name, error, sep="\t", file=file)
        for row in recorder.rows(script):
            print(*row, sep="\t", file=file)
    os._exit(0)


def write_packed(rows, out):
    """The rows of all scripts together: waits added up, of the lines those that ran twice or more, as ranges."""
    digests, lines, waits, failed = {}, collections.defaultdict(collections.Counter), collections.Counter(), []
    for kind, script, *rest in rows:
        if kind == "F":
            failed.append((script, *rest))
        elif kind == "S":
            digests[rest[0]] = rest[1]
        elif kind == "L":
            for line, count in (part.split(":") for part in rest[1].split()):
                lines[rest[0]][int(line)] += int(count)
        elif kind == "W":
            waits[(*rest[:6], rest[7])] += int(rest[6])
    number = {name: str(i) for i, name in enumerate(sorted(digests))}

    def numbered(frame):
        name, line = frame.rsplit(":", 1)
        return f"{number.get(name, name)}:{line}"
    with open(out, "wb") as raw, gzip.open(raw, "wt") as file:
        for row in sorted(failed):
            print("F", *row, sep="\t", file=file)
        for name in sorted(digests):
            ranges = []
            for line in sorted(lines[name]):
                if ranges and line == ranges[-1][1] + 1:
                    ranges[-1][1] = line
                else:
                    ranges.append([line, line])
            print("S", name, digests[name][:16], " ".join(f"{a}-{b}" if a != b else f"{a}" for a, b in ranges), sep="\t", file=file)
        for key, count in sorted(waits.items()):
            kind = key[5].removeprefix("runtime")  # what the debug mode saw too is told once
            if kind != key[5] and ((*key[:5], "debug" + kind, key[6]) in waits or (*key[:5], "explicit" + kind, key[6]) in waits):
                continue
            stack = " ".join(numbered(frame) for frame in key[6].split())
            print("W", number.get(key[0], key[0]), *key[1:6], count, stack, sep="\t", file=file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--limit", type=int, default=60, help="seconds a function")
    parser.add_argument("--seconds", type=int, default=200, help="seconds a script")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--works", nargs="*", help="these functions alone")
    parser.add_argument("--shim")
    parser.add_argument("--one")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    if options.one:
        return run_one(options.one, options.out, folder, options.limit, options.seconds, options.works)
    names = options.only or sorted(f[:-3] for f in os.listdir(REAL) if f.endswith(".py"))
    env = dict(os.environ, OMP_NUM_THREADS="2", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", MPLBACKEND="Agg")
    if options.shim:
        env.update(LD_PRELOAD=os.path.abspath(options.shim), TRUTH_SHIM=os.path.abspath(options.shim))

    told = {}

    def start(name):
        out = tempfile.mktemp()
        command = [sys.executable, os.path.abspath(__file__), out, folder, "--one", name, "--limit", str(options.limit),
                   "--seconds", str(options.seconds)] + (["--works", *options.works] if options.works else [])
        try:
            done = subprocess.run(command, env=env, timeout=options.seconds, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            told[name] = [line for line in done.stdout.decode(errors="replace").splitlines() if re.search("Error|Exception", line)]
            text = open(out).read() if os.path.exists(out) else ""
            return text or f"F\t{name}\t-\texit {done.returncode}: {done.stderr[-300:].decode(errors='replace')!r}\n"
        except subprocess.TimeoutExpired:
            return f"F\t{name}\t-\tover {options.seconds} s\n"
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, text in zip(names, pool.map(start, names)):
            mine = [line.split("\t") for line in text.splitlines()]
            rows += mine
            print(f"{name}: {sum(r[0] == 'S' for r in mine)} files, {sum(r[0] == 'W' for r in mine)} waits", flush=True)
            for row in mine:
                if row[0] == "F":
                    print("   failed", *row[2:], flush=True)
            for line in told.get(name, ()):
                print("   said", line[:300], flush=True)
    write_packed(rows, options.out)


if __name__ == "__main__":
    main()
