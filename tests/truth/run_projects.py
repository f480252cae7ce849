#!/usr/bin/env python3
"""Run projects as people write them on a GPU; record every wait and how often each of their lines ran.

    python3 tests/truth/run_projects.py OUT.tsv[.gz] FOLDER... [--jobs 6] [--limit 60] [--total 400] [--only NAME ...] [--shim waits_shim.so]

FOLDERS hold projects, a folder each, with main.py or train.py, or run.txt: the file and its arguments, if the defaults do not do.
A project runs as `python FILE ARGUMENTS` in a copy of its own; each Python process that it starts is recorded. One that
fails or is late is reported, what it did until then counts. Rows of OUT (tab separated):
    P project seconds error
    S project file sha256[:16] line:count ...      a file of the project, and how often its lines ran
    W project file line col end_line end_col kind count library stack
A wait stands at the innermost frame of the project, with the instruction's own place (columns from 0, in bytes); kind is as in
run_real.py; library is the innermost frame outside of torch where that is another one, else "-"; the stack holds the project's
frames, innermost first, with a * where a library other than torch stands between it and what it called.
Not seen: what forked processes do (workers of a DataLoader), copies with non_blocking=True, waits inside NCCL.
"""
import argparse
import atexit
import collections
import concurrent.futures
import gzip
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from run_real import Recorder, is_backward, place_of, short

HERE = os.path.dirname(os.path.abspath(__file__))
OPEN = (open, gzip.open)
ENTRIES = ("main.py", "train.py", "run.py")
START = 60  # seconds for torch to be loaded and the last rows to be written


# ---------------------------------------------------------------- in the project's processes

class ProjectRecorder(Recorder):
    def __init__(self, root):
        super().__init__()
        self.root, self.places = root + os.sep, {}

    def named(self, path):
        return path[len(self.root):] if path.startswith(self.root) else short(path)

    def is_recorded(self, path):
        return path.startswith(self.root)

    def place(self, frame):
        key = (id(frame.f_code), frame.f_lasti)
        if key not in self.places:
            self.places[key] = (place_of(frame), frame.f_code)  # the code, so that no other one gets its id
        return self.places[key][0]

    def wait(self, kind, frame):
        backward, called, library, stack, place = False, False, "-", [], (0, 0, 0, 0)
        while frame is not None:
            path = frame.f_code.co_filename
            if path in OURS:
                pass
            elif path.startswith(self.root):
                if not stack:
                    place = self.place(frame)
                stack.append(f"{path[len(self.root):]}:{frame.f_lineno}" + "*" * called)
                called = False
            elif self.outside(path) is None:
                backward |= is_backward(frame.f_code)
            else:
                called = True
                if library == "-" and not stack:
                    library = f"{short(path)}:{frame.f_lineno}"
            frame = frame.f_back
        name = stack[0].rsplit(":", 1)[0] if stack else "?"
        self.waits[(name, *place, kind + "+backward" * backward, library, " ".join(stack))] += 1

    def watch_more(self):
        """Calls that wait without a word, beyond those of every recorder."""
        import torch
        import torch.distributed
        owners = [(torch.distributed, "barrier")] if torch.distributed.is_available() else []
        if "torchvision" in open(os.environ["TRUTH_PROJECT_TEXT"]).read():
            import torchvision
            owners.append((torchvision.ops, "nms"))
        for owner, name in owners:
            self.watch_call(owner, name)
        torch.cuda.set_sync_debug_mode = lambda mode: None  # the project's own would end ours

    def rows(self):
        files = collections.defaultdict(dict)
        for (path, line), count in list(self.lines.items()):
            files[path][line] = count
        for path, counts in sorted(files.items()):
            if os.path.exists(path):
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()[:16]
                yield "S", path[len(self.root):], digest, " ".join(f"{line}:{count}" for line, count in sorted(counts.items()))
        for key, count in sorted(list(self.waits.items())):
            yield "W", *key[:6], count, *key[6:]


OURS = {__file__, Recorder.wait.__code__.co_filename}


def is_of_project(root):
    """Is this process the project's script, or one that multiprocessing started for it?"""
    words = sys.orig_argv[1:]
    if "--multiprocessing-fork" in words:
        return True
    if words[:1] == ["-m"]:
        return os.path.exists(os.path.join(root, words[1].split(".")[0])) or os.path.exists(os.path.join(root, words[1] + ".py"))
    return any(word.endswith(".py") and os.path.abspath(word).startswith(root + os.sep) for word in words)


def start_here():
    """Called as each Python process of a project starts (sitecustomize): records until it ends or the time is over."""
    root, owner = os.environ["TRUTH_PROJECT"], os.getpid()
    if not is_of_project(root):
        return
    import torch
    recorder = ProjectRecorder(root)
    if torch.cuda.is_available():
        recorder.watch_waits()
        recorder.watch_more()
        if os.environ.get("TRUTH_SHIM"):
            recorder.watch_runtime(os.environ["TRUTH_SHIM"])
    recorder.watch_lines()
    written = threading.Lock()

    def write(late=""):
        if os.getpid() != owner or not written.acquire(blocking=False):
            return
        out = os.path.join(os.environ["TRUTH_RECORDS"], str(owner))
        with open(out + ".new", "w") as file:
            for row in recorder.rows():
                print(*row, sep="\t", file=file)
            if late:
                print("E", late, sep="\t", file=file)
        os.rename(out + ".new", out)

    def ring():
        write("its time is over")
        os._exit(124)
    deadline = float(os.environ.setdefault("TRUTH_DEADLINE", str(time.time() + float(os.environ["TRUTH_LIMIT"]))))
    timer = threading.Timer(max(1.0, deadline - time.time()), ring)
    timer.daemon = True
    timer.start()
    atexit.register(write)


# ---------------------------------------------------------------- the runner

def words_of(project):
    """What run.txt says, or the script that is there: environment, words behind `python`."""
    path, words, environment = os.path.join(project, "run.txt"), [], {}
    if os.path.exists(path):
        lines = [line.strip() for line in open(path) if line.strip() and not line.strip().startswith("#")]
        words = shlex.split(lines[0]) if lines else []
    while words and re.fullmatch(r"[A-Za-z_]+=.*", words[0]):
        key, _, value = words.pop(0).partition("=")
        environment[key] = value
    if words and re.fullmatch(r"python[0-9.]*", words[0]):
        words.pop(0)
    if words and words[0] == "torchrun":
        words[:1] = ["-m", "torch.distributed.run"]
    if not words or not (words[0].endswith(".py") or words[0] == "-m"):
        entry = next((name for name in ENTRIES if os.path.exists(os.path.join(project, name))), None)
        words = [entry, *words] if entry else []
    return environment, words


def text_of(project):
    names = [os.path.join(folder, name) for folder, _, files in os.walk(project) for name in files if name.endswith(".py")]
    return "\n".join(open(name, errors="replace").read() for name in sorted(names))


def last_words(said):
    lines = [line for line in said.decode(errors="replace").splitlines() if line.strip()]
    return " | ".join(lines[-3:]).replace("\t", " ")[-400:]


def run_project(project, limit, shim, end):
    """Rows of one project, its P row first."""
    name = os.path.basename(project)
    if time.time() + START / 2 > end:
        return [("P", name, "0.0", "not started: the time of all is over")]
    limit = min(limit, end - time.time() - START / 3)
    with tempfile.TemporaryDirectory() as folder:
        root, records, hook = (os.path.join(os.path.realpath(folder), part) for part in (name, "records", "hook"))
        shutil.copytree(project, root)
        os.mkdir(records)
        os.mkdir(hook)
        with open(os.path.join(hook, "sitecustomize.py"), "w") as file:
            file.write(f"import sys\nsys.path.insert(0, {HERE!r})\nimport run_projects\nsys.path.remove({HERE!r})\nrun_projects.start_here()\n")
        text = os.path.join(hook, "text")
        with open(text, "w") as file:
            file.write(text_of(root))
        environment, words = words_of(root)
        env = dict(os.environ, OMP_NUM_THREADS="2", HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", MPLBACKEND="Agg", WANDB_MODE="disabled",
                   PYTHONDONTWRITEBYTECODE="1", PYTHONUNBUFFERED="1", **environment)
        env.update(TRUTH_PROJECT=root, TRUTH_RECORDS=records, TRUTH_LIMIT=str(limit), TRUTH_PROJECT_TEXT=text,
                   PYTHONPATH=os.pathsep.join([hook, *filter(None, [environment.get("PYTHONPATH"), os.environ.get("PYTHONPATH")])]))
        if shim:
            env.update(LD_PRELOAD=shim, TRUTH_SHIM=shim)
        start, error, said = time.time(), "", b""
        with open(os.path.join(folder, "said"), "w+b") as heard:
            if words:
                child = subprocess.Popen([sys.executable, *words], cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=heard, stderr=heard, start_new_session=True)
                try:
                    code = child.wait(limit + START)
                    error = f"exit {code}" if code else ""
                except subprocess.TimeoutExpired:
                    error = "killed"
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
            else:
                error = "no script to run"
            heard.seek(0)
            said = heard.read()
        rows = []
        for part in sorted(os.listdir(records)):
            if not part.endswith(".new"):
                rows += [line.rstrip("\n").split("\t") for line in open(os.path.join(records, part))]
        late = [row[1] for row in rows if row[0] == "E"]
        if error:
            error += ": " + (late[0] if late else last_words(said))
        elif not rows:
            error = "no record"
        return [("P", name, f"{time.time() - start:.1f}", error or "-"), *((row[0], name, *row[1:]) for row in rows if row[0] != "E")]


def packed(rows):
    """The processes of a project added up; what two witnesses saw is told once, as the first one's."""
    lines, digests, waits = collections.defaultdict(collections.Counter), {}, collections.Counter()
    for kind, name, *rest in rows:
        if kind == "P":
            yield kind, name, *rest
        elif kind == "S":
            digests[(name, rest[0])] = rest[1]
            for part in rest[2].split():
                line, _, count = part.partition(":")
                lines[(name, rest[0])][int(line)] += int(count)
        else:
            waits[(name, *rest[:6], rest[7], rest[8])] += int(rest[6])
    for (name, file), digest in sorted(digests.items()):
        yield "S", name, file, digest, " ".join(f"{line}:{count}" for line, count in sorted(lines[(name, file)].items()))
    for key, count in sorted(waits.items()):
        kind = key[6].removeprefix("runtime")
        if kind == key[6] or not any((*key[:6], first + kind, *key[7:]) in waits for first in ("debug", "explicit")):
            yield "W", *key[:7], count, *key[7:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--limit", type=int, default=60, help="seconds a project, after torch was loaded")
    parser.add_argument("--total", type=int, default=3600, help="seconds for all together")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--shim", help="waits_shim.c as a shared object")
    options = parser.parse_args()
    shim = os.path.abspath(options.shim) if options.shim else ""
    projects = [os.path.join(folder, name) for folder in options.folders for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name))]
    projects = sorted((p for p in projects if not options.only or os.path.basename(p) in options.only), key=os.path.basename)
    end = time.time() + options.total
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, OPEN[options.out.endswith(".gz")](options.out, "wt") as file:
        jobs = [pool.submit(run_project, project, options.limit, shim, end) for project in projects]
        for job in concurrent.futures.as_completed(jobs):
            mine = list(packed(job.result()))
            for row in mine:
                print(*row, sep="\t", file=file)
            file.flush()
            kinds = collections.Counter(row[0] for row in mine)
            print(mine[0][1], f"{mine[0][2]} s, {kinds['S']} files, {kinds['W']} waits", mine[0][3], sep="\t", flush=True)


if __name__ == "__main__":
    main()
