#!/usr/bin/env python3
"""System calls that are interrupted, move a few bytes at a time, or fail, one after the other (tests/faults/faults.c).
The bytes are those of a run without; where a call fails, exit 2 and one line, or a file counted as skipped, and every
written file whole, as it was, or not there."""
import gzip, sys
from bench import *

FAULTY = BUILD / "syncl-faulty"
SANITIZED = b"__asan_init" in (BUILD / "syncl").read_bytes()
SLOW = ["interrupt", "short", "interrupt,short"]
NOTEBOOK = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
    {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": TRAIN}]}
PAGE = (ROOT / "rules/host-read.md").read_text().replace("host-read", "team-read").replace("SYN101", "TEAM1")


def run(*args, faults="", stdin=b"", counts=None, env=None):
    full = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_")} | {"FAULTS": faults} | (env or {})
    if counts:
        full["FAULTS_COUNTS"] = counts
    done = subprocess.run([FAULTY, "--no-cache", *args], input=stdin, capture_output=True, env=full, timeout=120)
    return Ran(done.returncode, done.stdout, done.stderr)


def project():
    """One input of each kind."""
    for name in ("train.py", "pkg/__init__.py", "pkg/a.py"):
        write(name, TRAIN)
    write("note.ipynb", json.dumps(NOTEBOOK))
    write("syncl.toml", 'step-time = "55ms"\nextend-exclude = ["vendor"]\n')
    write("vendor/v.py", TRAIN)
    write(".gitignore", "ignored.py\n")
    write("ignored.py", TRAIN)
    write("profile.json", (ROOT / "calib/profiles/h200.json").read_bytes())
    write("log", "train.py:13: called a synchronizing CUDA operation\n")
    write("arguments", "--min-confidence=possible\n.\n")
    write("stubs/team.pyi", "# module team\ndef load(path) -> cuda_tensor: ...\n")
    run("--write-baseline=base.json", "pkg")


def traced():
    events = gzip.decompress((ROOT / "tests/traces/memory-given-back.json.gz").read_bytes())
    write("trace.json", events)
    half = len(events) // 2
    write("trace.gz", gzip.compress(events[:half]) + gzip.compress(events[half:]))  # an archive of two members
    shutil.copy(ROOT / "tests/truth/loops/cache_clear.py", "cache_clear.py")


INPUTS = [
    ["--output-format=json", "."],
    ["--output-format=sarif", "note.ipynb"],
    ["--profile=profile.json", "train.py"],
    ["--baseline=base.json", "."],
    ["--observed=log", "--output-format=json", "train.py"],
    ["@arguments"],
    ["--show-settings", "."],
    ["--output-format=json", "-"],
    ["--isolated", "--search-path=pkg", "train.py"],
]


def repository():
    quiet = ["git", "-c", "user.name=a", "-c", "user.email=b", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(quiet + words, check=True, capture_output=True)
    write("train.py", TRAIN + "    print(loss)\n")


def test_a_slow_machine_says_the_same():
    project()
    for args in INPUTS:
        plain = run(*args, stdin=TRAIN.encode())
        same(plain.status in (0, 1), True, (args, plain.err))
        for faults in SLOW:
            got = run(*args, faults=faults, stdin=TRAIN.encode())
            same((got.status, got.raw, got.err), (plain.status, plain.raw, plain.err), (args, faults))


def test_a_slow_machine_reads_the_same_trace():
    traced()
    plain = run("--trace=trace.json", "--output-format=json", "cache_clear.py")
    holds(plain.out, '"trace": {"steps"' if '"trace": {"steps"' in plain.out else '"trace"')
    for name in ("trace.json", "trace.gz"):
        for faults in ("", "interrupt,short"):
            got = run(f"--trace={name}", "--output-format=json", "cache_clear.py", faults=faults)
            same((got.status, got.raw.replace(b"trace.gz", b"trace.json")), (plain.status, plain.raw), (name, faults))


def test_a_slow_machine_compares_the_same():
    project()
    repository()
    plain = run("--compare=HEAD", ".")
    holds(plain.out, "Compared with HEAD: ")
    for faults in SLOW:
        got = run("--compare=HEAD", ".", faults=faults)
        same((got.status, got.raw, got.err), (plain.status, plain.raw, plain.err), faults)


WRITTEN = {
    "out": ["--output-file=out", "--output-format=json", "train.py"],
    "also": ["--also=json:also", "train.py"],
    "sarif": ["--sarif=sarif", "train.py"],
    "base": ["--write-baseline=base", "train.py"],
    "summary": ["--output-format=github", "train.py"],
    "train.py": ["--add-allow", "--allow-reason=x", "train.py"],
}


def in_folder(args, faults="", old=None, counts=None):
    """A run in a folder of its own; what it said, and its files afterwards."""
    home = os.getcwd()
    folder = tempfile.mkdtemp(dir=home)
    os.chdir(folder)
    write("train.py", TRAIN)
    if old:
        write(*old)
    ran = run(*args, faults=faults, counts=counts, env={"GITHUB_STEP_SUMMARY": "summary"})
    files = {str(p): p.read_bytes() for p in pathlib.Path(".").iterdir()}
    os.chdir(home)
    shutil.rmtree(folder)
    return ran, files


def counted(args, stdin=b""):
    run(*args, counts="counts", stdin=stdin)
    counts = {k: int(v) for k, v in map(str.split, pathlib.Path("counts").read_text().splitlines())}
    os.unlink("counts")
    return counts


def test_a_slow_machine_writes_the_same():
    for name, args in WRITTEN.items():
        plain, files = in_folder(args)
        same(name in files and plain.status < 2, True, plain.err)
        for faults in SLOW:
            got, there = in_folder(args, faults)
            same((got.status, got.raw, there), (plain.status, plain.raw, files), (name, faults))


def test_no_room_at_any_write():
    """The Nth call that writes fails, for each N: exit 2, one line, and each file is as before, or whole."""
    for name, args in WRITTEN.items():
        old = None if name == "train.py" else (name, "as before\n")
        plain, files = in_folder(args, old=old)
        in_folder(args, counts=os.path.abspath("counts"))
        count = int(pathlib.Path("counts").read_text().split()[1])
        same(count >= 3, True, name)
        for n in range(1, count + 1):
            ran, there = in_folder(args, f"write={n}", old)
            same((ran.status, ran.err.count("\n"), ran.err.startswith("syncl: cannot write ")), (2, 1, True), (name, n, ran.err))
            holds(ran.err, "No space left on device")
            same(sorted(there), sorted(set(there) & {"train.py", name}), (name, n))
            before = TRAIN.encode() if name == "train.py" else b"as before\n"
            appended = name == "summary" and there[name].startswith(before)
            same(there[name] in (before, files[name]) or appended, True, (name, n, there[name][:200]))


def test_any_read_that_fails_is_said():
    """The Nth call that reads fails, for each N: exit 2 with one line, or the same findings, or what was skipped is said."""
    project()
    for args in INPUTS:
        plain = run(*args, stdin=TRAIN.encode())
        for n in range(1, counted(args, TRAIN.encode())["read"] + 1):
            got = run(*args, faults=f"read={n}", stdin=TRAIN.encode())
            if got.status == 2:
                same((got.err.count("\n"), got.raw == b"" or "skipped" in got.out), (1, True), (args, n, got.err))
            elif got.raw != plain.raw:
                same("skipped" in got.out or "ignored.py" in got.out, True, (args, n, got.out[:3000], got.err))


def test_any_allocation_that_fails_is_said():
    if SANITIZED:
        return  # allocations of the sanitizer's own
    project()
    traced()
    for args in INPUTS[:6] + [["--trace=trace.gz", "cache_clear.py"]]:
        plain = run(*args, stdin=TRAIN.encode())
        count = counted(args, TRAIN.encode())["memory"]
        step = 1 if args is INPUTS[0] else max(1, count // 100)  # each of the first: what reads, parses, infers and prices
        for n in sorted({*range(1, min(count, 25)), *range(25, count + 1, step)}):
            got = run(*args, faults=f"memory={n}", stdin=TRAIN.encode())
            said = "Cannot allocate memory" in got.out  # of a folder that could not be opened
            if got.status == 2:
                same((got.err.count("\n"), said or got.raw == b""), (1, True), (args, n, got.err))
            elif not said:
                same((got.status, got.raw), (plain.status, plain.raw), (args, n, got.err))


if FAULTY.exists():
    main(sys.modules[__name__])
print("[  SKIPPED ] 1 test: no syncl-faulty on this machine")
