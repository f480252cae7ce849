#!/usr/bin/env python3
"""Run the corpus on a GPU, record every wait, compare the lines that waited with the marks.

    python3 tests/truth/run_corpus.py OUT [--jobs 8] [--only NAME ...]

Needs a CUDA GPU, torch and the libraries that the scripts import. Writes to OUT:
    marks.tsv     one row a mark or a place that waited, with the verdict
    summary.txt   the counts and every disagreement
    records.json  all records, for --compare (marks against the same records, no GPU)
How a wait is seen: the warnings of torch.cuda.set_sync_debug_mode, and wrappers around the
calls that wait without one. A second witness counts the CUDA runtime's own waiting calls
(waits_shim.c). What none of them shows (copies from pageable memory with non_blocking=True,
waits inside NCCL) is not seen here.
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tokenize

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORPUS = os.path.join(ROOT, "corpus")
SYNC_TEXT = "called a synchronizing CUDA operation"


# ---------------------------------------------------------------- the marks

def read_marks(path):
    """line -> list of (rule, level), one entry a finding."""
    marks = {}
    with open(path, "rb") as f:
        for tok in tokenize.tokenize(f.readline):
            if tok.type != tokenize.COMMENT:
                continue
            found = re.match(r"#\s*sync:\s*(.*)$", tok.string)
            if not found:
                continue
            entries = []
            for part in found.group(1).split("#")[0].split(","):
                words = part.split()
                times = [int(w[1:]) for w in words[1:] if re.fullmatch(r"x\d+", w)]
                level = "note" if "note" in words[1:] else "warning"
                entries += [(words[0], level)] * (times[0] if times else 1)
            marks[tok.start[0]] = entries
    return marks


def statement_ranges(path):
    """line -> (first, last) of the innermost simple statement (or the header of a compound one)."""
    tree = ast.parse(open(path).read())
    ranges = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        last = node.end_lineno
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            last = max(node.lineno, body[0].lineno - 1)
        for line in range(node.lineno, last + 1):
            old = ranges.get(line)
            if old is None or last - node.lineno < old[1] - old[0]:
                ranges[line] = (node.lineno, last)
    return ranges


# ---------------------------------------------------------------- one script, recorded (child process)

def record_script(script, record_path, argv):
    import runpy
    import traceback
    import warnings

    import torch
    source = open(script).read()
    if "torchvision" in source:
        import torchvision  # noqa: F401
    if "pytorch_lightning" in source:
        import pytorch_lightning  # noqa: F401
    if "transformers" in source:
        import transformers  # noqa: F401

    script = os.path.abspath(script)
    waits = collections.Counter()
    example = {}
    executed = collections.Counter()
    owner = os.getpid()

    def note_wait(kind, frame):
        library, backward = None, False
        while frame is not None and frame.f_code.co_filename != script:
            code = frame.f_code
            if code.co_filename.endswith(("torch/_tensor.py", "torch/autograd/__init__.py")) and code.co_name == "backward":
                backward = True
            if library is None and code.co_filename != __file__ and not code.co_filename.endswith("/warnings.py"):
                library = f"{code.co_filename.split('site-packages/')[-1]}:{frame.f_lineno} {code.co_name}"
            frame = frame.f_back
        if frame is None:
            place = (0, 0, 0, 0)
        else:
            positions = list(frame.f_code.co_positions())
            place = positions[frame.f_lasti // 2]
            if None in place:
                place = (frame.f_lineno, 0, frame.f_lineno, 0)
            line, end_line, col, end_col = place
            place = (line, col, end_line, end_col)
        key = (*place, kind + " in backward" if backward else kind)
        waits[key] += 1
        example.setdefault(key, library or "")

    def showwarning(message, category, filename, lineno, file=None, line=None):
        if SYNC_TEXT in str(message):
            note_wait("debug-mode", sys._getframe(1))

    def wrap(owner_object, name, kind):
        inner = getattr(owner_object, name)

        def wrapper(*args, **kwargs):
            note_wait(kind, sys._getframe(1))
            return inner(*args, **kwargs)
        setattr(owner_object, name, wrapper)

    wrap(torch.cuda, "synchronize", "explicit")
    wrap(torch.cuda.Event, "synchronize", "explicit")
    wrap(torch.accelerator, "synchronize", "explicit")
    if "torchvision" in source:
        wrap(torchvision.ops, "nms", "explicit")
    if "torch.distributed" in source:
        import torch.distributed
        wrap(torch.distributed, "barrier", "explicit")

    torch.zeros(4, device="cuda").sum().item()
    keep = []
    if os.environ.get("TRUTH_SHIM"):
        import ctypes
        callback_type = ctypes.CFUNCTYPE(None, ctypes.c_int)
        keep.append(callback_type(lambda api: note_wait("runtime", sys._getframe(1))))
        ctypes.CDLL(os.environ["TRUTH_SHIM"]).truth_set_callback(keep[0])
    warnings.showwarning = showwarning
    warnings.filterwarnings("always", message=".*" + SYNC_TEXT)
    torch.cuda.set_sync_debug_mode("warn")

    mon = sys.monitoring
    mon.use_tool_id(mon.COVERAGE_ID, "truth")

    def on_line(code, line):
        if code.co_filename != script:
            return mon.DISABLE
        executed[line] += 1
        return None
    mon.register_callback(mon.COVERAGE_ID, mon.events.LINE, on_line)
    mon.set_events(mon.COVERAGE_ID, mon.events.LINE)

    sys.argv = [script] + argv
    sys.path.insert(0, os.path.dirname(script))
    error, start = "", time.time()
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        error = "" if stop.code in (None, 0) else f"exit {stop.code}"
    except BaseException:
        error = traceback.format_exc()
    if os.getpid() != owner:
        return
    torch.cuda.set_sync_debug_mode(0)
    if keep:
        ctypes.CDLL(os.environ["TRUTH_SHIM"]).truth_set_callback(None)
    mon.set_events(mon.COVERAGE_ID, 0)
    rows = [dict(line=k[0], col=k[1], end_line=k[2], end_col=k[3], kind=k[4], count=n, library=example[k])
            for k, n in sorted(waits.items())]
    with open(record_path, "w") as f:
        json.dump(dict(script=os.path.relpath(script, ROOT), seconds=round(time.time() - start, 1), error=error,
                       waits=rows, executed={str(k): v for k, v in sorted(executed.items())}), f)


# ---------------------------------------------------------------- marks against the record

def compare(path, record):
    """Rows: (line, marked, level, runs, expressions that waited, waits, runtime's waits, verdict, detail)."""
    marks, ranges = read_marks(path), statement_ranges(path)
    text = open(path).read().splitlines()
    executed = {int(k): v for k, v in record["executed"].items()}
    forward = collections.defaultdict(dict)
    rows = []
    runtime = collections.Counter()
    for w in record["waits"]:
        if w["kind"] == "runtime":
            runtime[w["line"]] += w["count"]
            continue
        if w["kind"].endswith("backward"):
            runs = executed.get(w["line"], 0)
            if not w["kind"].startswith("runtime"):
                rows.append((w["line"], "", "", runs, 1, w["count"], 0, "backward", w["library"]))
            continue
        if w["line"] == 0:
            rows.append((0, "", "", 0, 1, w["count"], 0, "no-user-frame", w["library"]))
            continue
        place = (w["col"], w["end_line"], w["end_col"])
        old = forward[w["line"]].get(place, dict(count=0, library=w["library"]))
        old["count"] += w["count"]
        forward[w["line"]][place] = old

    def runs_of(line):
        first, last = ranges.get(line, (line, line))
        return max([executed.get(line, 0)] + [executed.get(i, 0) for i in range(first, last + 1)])

    for line in sorted(set(marks) | set(forward) | set(runtime)):
        entries, places = marks.get(line, []), forward.get(line, {})
        runs = runs_of(line)
        rules = ", ".join(r for r, _ in entries)
        level = ", ".join(sorted({lv for _, lv in entries}))
        count = sum(p["count"] for p in places.values())
        source = text[line - 1].strip()[:110] if 0 < line <= len(text) else ""
        library = next((p["library"] for p in places.values() if p["library"]), "")
        if line == 0 or (not entries and not places):
            verdict = "runtime-only-once" if runs_of(line) <= 1 else "runtime-only"
            rows.append((line, "", "", runs, 1, 0, runtime[line], verdict, source))
            continue
        good = min(len(entries), len(places))
        if good and not runtime[line] and runtime:
            rows.append((line, rules, level, runs, good, count, 0, "runtime-silent", source))
        for verdict, n in (("confirmed", good),
                           ("not-executed" if runs == 0 else "marked-not-waited", len(entries) - good),
                           ("once-unmarked" if runs <= 1 else "unmarked-repeated", len(places) - good)):
            if n > 0:
                rows.append((line, rules, level, runs, n, count, runtime[line], verdict, f"{source}  <{library}>" if library else source))
    return rows


def load_arguments():
    table = {}
    with open(os.path.join(CORPUS, "run.tsv")) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                name, _, words = line.rstrip("\n").partition("\t")
                table[name] = words.split()
    return table


def script_name(path):
    return os.path.splitext(os.path.relpath(path, CORPUS))[0].replace(os.sep, ".")


def build_shim(folder):
    shim = os.path.join(folder, "waits_shim.so")
    built = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, os.path.join(HERE, "waits_shim.c"), "-ldl"])
    return shim if built.returncode == 0 else ""


def run_one(path, words, shim):
    """The record of one script; a crash or a timeout is a record with an error."""
    env = dict(os.environ, OMP_NUM_THREADS="2", PYTHONUNBUFFERED="1", TOKENIZERS_PARALLELISM="false",
               HF_HUB_OFFLINE="1")
    if shim:
        env.update(TRUTH_SHIM=shim, LD_PRELOAD=shim)
    while words and re.match(r"[A-Z_]+=", words[0]):
        key, _, value = words[0].partition("=")
        env[key], words = value, words[1:]
    with tempfile.TemporaryDirectory() as folder:
        record_path = os.path.join(folder, "truth-record.json")
        command = [sys.executable, os.path.abspath(__file__), "--child", path, record_path] + words
        try:
            said = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120).stdout
        except subprocess.TimeoutExpired as late:
            said = (late.output or b"") + b"\nover 120 s"
        if os.path.exists(record_path):
            return json.load(open(record_path))
    return dict(script=os.path.relpath(path, ROOT), seconds=0, error=said.decode(errors="replace")[-2000:] or "no record",
                waits=[], executed={})


def main():
    if sys.argv[1:2] == ["--child"]:
        return record_script(sys.argv[2], sys.argv[3], sys.argv[4:])
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--compare", action="store_true", help="do not run: compare the marks with the records in OUT/raw")
    args = parser.parse_args()
    out = os.path.abspath(args.out)
    os.makedirs(out, exist_ok=True)
    arguments = load_arguments()
    paths = []
    for folder, _, files in os.walk(CORPUS):
        paths += [os.path.join(folder, f) for f in files if f.endswith(".py")]
    paths = sorted(p for p in paths if not args.only or os.path.splitext(os.path.basename(p))[0] in args.only)
    stored = os.path.join(out, "records.json")
    if args.compare:
        records = json.load(open(stored))
    else:
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            shim = build_shim(folder)
            jobs = {script_name(p): pool.submit(run_one, p, arguments.get(os.path.splitext(os.path.basename(p))[0], []), shim)
                    for p in paths}
            records = {name: job.result() for name, job in jobs.items()}
        with open(stored, "w") as f:
            f.write("{\n" + ",\n".join(json.dumps(k) + ": " + json.dumps(v) for k, v in records.items()) + "\n}\n")

    totals, per_script, disagreements = collections.Counter(), [], []
    with open(os.path.join(out, "marks.tsv"), "w") as table:
        print("script", "line", "rules", "level", "runs", "expressions", "waits", "runtime", "verdict", "detail", sep="\t", file=table)
        for path in paths:
            name = script_name(path)
            record = records[name]
            rows = compare(path, record)
            counts = collections.Counter()
            for row in rows:
                counts[row[7]] += row[4]
                print(name, *row, sep="\t", file=table)
                if row[7] not in ("confirmed", "backward"):
                    disagreements.append("\t".join(str(c) for c in (name, *row)))
            totals += counts
            state = "ok" if not record["error"] else record["error"].strip().splitlines()[-1]
            per_script.append(f"{name}\t{record['seconds']} s\t{dict(sorted(counts.items()))}\t{state}")
            if record["error"]:
                totals["scripts-with-error"] += 1
    with open(os.path.join(out, "summary.txt"), "w") as f:
        for target in (f, sys.stdout):
            print("\n".join(per_script), file=target)
            print("\ntotals", dict(sorted(totals.items())), file=target)
            print("\nscript line rules level runs expressions waits runtime verdict detail", file=target)
            print("\n".join(disagreements), file=target)


if __name__ == "__main__":
    main()
