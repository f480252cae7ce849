#!/usr/bin/env python3
"""Generated programs (generate.py), each a project of one to five files, under the sanitizers: one thread and eight, no
cache, a cold one, a warm one and one in which a file changed say the same bytes; and by turns every dump, every format,
--add-allow, notebooks, baselines. What breaks something is made as small as it will go and kept in
build/fuzz/found/programs. At the end: programs, runs, CPU time, and how many of the grammar's productions they had.

  tests/fuzz/programs.py [--seconds=60 | --count=N] [--seed=1] [--program=build/syncl] [--watched=build/sanitize/syncl]"""
import argparse, json, pathlib, re, resource, shutil, sys, tempfile, time
from collections import Counter

import generate
from checks import Runs, Wrong, check_formats, check_report, kept, place_of, same

ROOT = pathlib.Path(__file__).resolve().parents[2]
DUMPS = ["model", "calls", "facts", "sites", "events"]


def check_threads(runs, folder):
    one = runs.report(folder, "--threads=1", "--no-cache", watched=True)
    check_report(runs, one, folder)
    same("1 and 8 threads", one, runs.report(folder, "--threads=8", "--no-cache"))
    return one


def check_cache(runs, folder):
    """Cold, warm, then with one file that another program left behind."""
    one, cache = runs.report(folder, "--no-cache"), f"--cache-dir={folder}.cache"
    same("without and with an empty cache", one, runs.report(folder, cache, watched=True))
    same("without and with a full cache", one, runs.report(folder, cache, "--threads=2"))
    changed = sorted(folder.rglob("*.py"))[0]
    text = changed.read_bytes()
    changed.write_bytes(b"import torch\n" + text[: len(text) * 2 // 3] + b"\n")
    same("one file changed, without and with a cache", runs.report(folder, "--no-cache"), runs.report(folder, cache))
    changed.write_bytes(text)
    same("the file as it was, without and with a cache", one, runs.report(folder, cache))
    shutil.rmtree(f"{folder}.cache")


def check_dumps(runs, folder):
    for stage in DUMPS:
        words = [f"--dump={stage}", "--no-cache", "."]
        same(f"--dump={stage}", runs.start(folder, "--threads=1", *words, watched=True), runs.start(folder, "--threads=8", *words))


def check_allow(runs, folder):
    """--add-allow leaves nothing to be found but what it says has no room for a comment, and what parsed parses."""
    before = {path: path.read_bytes() for path in folder.rglob("*.py")}
    said, _ = runs.start(folder, "--no-cache", "--min-confidence=possible", "--add-allow", "--allow-reason=made up", ".", watched=True)
    for path, text in before.items():
        if generate.parses(text) and not generate.parses(path.read_bytes()):
            raise Wrong(f"--add-allow broke {path.name}")
    left = [f for f in check_report(runs, runs.report(folder, "--no-cache"), folder) if f["rule"] != "unknown-comment"]
    without_room = re.search(rb"(\d+) findings? stands? where none", said)
    if len(left) > (int(without_room[1]) if without_room else 0):
        raise Wrong(f"--add-allow left {place_of(left[0])}")


def brief(findings):
    return sorted((*place_of(f), f["rule"], f["level"], json.dumps(f["cost"])) for f in findings)


def check_answers(runs, folder):
    """Less asked for is a part of the same answer, however the files are named."""
    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.py"))
    ask = lambda *words: check_report(runs, runs.start(folder, "--no-cache", "--output-format=json", *words), folder)
    every = ask("--min-confidence=possible", ".")
    same("walked, and named the other way round", brief(every), brief(ask("--min-confidence=possible", *reversed(paths))))
    for rule in sorted({f["rule"] for f in every})[:2]:
        same(f"--select={rule}", brief(f for f in every if f["rule"] == rule), brief(ask("--min-confidence=possible", f"--select={rule}", ".")))
    for level, sure in (("likely", ("likely", "certain")), ("certain", ("certain",))):
        same(f"--min-confidence={level}", brief(f for f in every if f["confidence"] in sure), brief(ask(f"--min-confidence={level}", ".")))


def check_notebook(runs, folder):
    """The files as cells, cut at lines that are not indented."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
        cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": cell} for cell in re.split(r"\n(?=\S)", text)]
        path.with_suffix(".ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}))
    same("notebooks, 1 and 8 threads", runs.report(folder, "--threads=1", "--no-cache", watched=True), runs.report(folder, "--threads=8", "--no-cache"))


def check_baseline(runs, folder):
    runs.start(folder, "--no-cache", "--min-confidence=possible", "--write-baseline=base.json", ".", watched=True)
    said, _ = runs.report(folder, "--no-cache", "--baseline=base.json")
    if json.loads(said)["findings"]:
        raise Wrong("a finding that the baseline knows")


TURNS = [check_dumps, check_formats, check_allow, check_notebook, check_baseline, check_answers]


def wrong(runs, files, number):
    """What the program breaks, or None."""
    with tempfile.TemporaryDirectory() as top:
        try:
            for check in (check_threads, check_cache, TURNS[number % len(TURNS)]):
                check(runs, kept(files, top))
        except (Wrong, ValueError, LookupError) as broken:  # the latter two: what was written is no report
            return f"{type(broken).__name__}: {broken}"


def smaller(files, breaks):
    """Files, then lines, left out while it still breaks the same, for two minutes."""
    end = time.monotonic() + 120
    still = lambda some: time.monotonic() < end and breaks(some)
    for path in list(files):
        rest = {p: t for p, t in files.items() if p != path}
        if rest and still(rest):
            files = rest
    for path in list(files):
        lines, step = files[path].splitlines(keepends=True), 64
        while step:
            at = 0
            while at < len(lines):
                fewer = lines[:at] + lines[at + step :]
                if still(files | {path: b"".join(fewer)}):
                    lines = fewer
                else:
                    at += step
            step //= 2
        files = files | {path: b"".join(lines)}
    return files


def kind_of(why):
    """Without numbers: what a smaller program breaks has the same."""
    found = re.search(r"(SUMMARY: .*|assert.*|Assert.*)", why)
    return re.sub(r"\d+", "", found.group() if found else why)[:200]


def keep(runs, files, number, why, folder):
    still = lambda some: (now := wrong(runs, some, number)) and kind_of(now) == kind_of(why)
    if still(files):
        files = smaller(files, still)
    else:
        why = "not each time: " + why
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)
    (folder / "why").write_text(why)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--count", type=int)
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--program", default="build/syncl")
    arguments.add_argument("--watched", default="build/sanitize/syncl", help="the same, built with sanitizers")
    arguments.add_argument("--no-fixtures", action="store_true", help="programs that stay the same when fixtures are added")
    arguments.add_argument("--cpu-seconds", type=int, default=20, help="of one run; under the sanitizers four times as much")
    arguments.add_argument("--found", type=pathlib.Path, default=ROOT / "build/fuzz/found/programs")
    given = arguments.parse_args()
    runs, uses, began, number, files, found = Runs(given.program, given.watched, given.cpu_seconds), Counter(), time.monotonic(), 0, 0, []
    while number < given.count if given.count else time.monotonic() - began < given.seconds:
        made = {path: text.encode() for path, text in generate.project(given.seed, number, uses, not given.no_fixtures).items()}
        why = wrong(runs, made, number)
        if why:
            found.append(f"{given.seed}-{number}")
            print(f"{found[-1]}: {why[:600]}", flush=True)
            keep(runs, made, number, why, given.found / found[-1])
        files, number = files + len(made), number + 1
    productions = [(p.left, p.number) for rights in generate.language().rights.values() for p in rights]
    print(f"programs: {number} projects of {files} files, {runs.count} runs, {runs.cpu_seconds() / 3600:.4f} CPU-hours, seed {given.seed}; "
          f"{sum(p in uses for p in productions)} of {len(productions)} productions of the grammar; {len(found)} broke something")
    sys.exit(1 if found else 0)


main()
