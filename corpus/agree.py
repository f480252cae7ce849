#!/usr/bin/env python3
"""Does a hook say what CI says? Of sampled files of a project, the findings by every way in which the file may be given.

    python3 corpus/agree.py SYNCL FOLDER... [--files N] [--seed S] [--show] [--times]

Each FOLDER is copied into an empty folder, with a pyproject.toml that marks its top. It is given to syncl whole (CI); then, of N
files drawn from all folders, each alone (a hook), on standard input (an editor), and the folder that it stands in. Every
finding of the file must be the same JSON, byte for byte, and none may be missing. --show prints those that are not.
A table: files, findings of those files in the whole run, how many files each way disagrees on. Exit 1: one does.
--times: instead, how long a hook takes on the first file drawn of each folder, with a cache that knows the project: once more, on another
file, and once the first was edited; seconds of the clock and of the processor, the least of three.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

WAYS = ("hook", "editor", "folder")
OPTIONS = ("--isolated", "--exit-zero", "--min-confidence=possible", "--output-format=json-lines")


def findings(syncl, top, paths, text=None, extra=()):
    """By file: its findings as they were printed, in order."""
    ran = subprocess.run([syncl, *OPTIONS, *extra, *paths], cwd=top, capture_output=True, input=text)
    if ran.returncode:
        sys.exit(f"agree.py: {' '.join(paths)}: {ran.stderr.decode(errors='replace')}")
    found = collections.defaultdict(list)
    for line in ran.stdout.decode(errors="replace").split("\n"):
        one = json.loads(line) if line else {}
        if "broken" not in one and one:
            found[one["file"]].append(line)
    return {file: sorted(lines) for file, lines in found.items()}


def given(syncl, top, file, way):
    if way == "editor":
        return findings(syncl, top, ["-"], (top / file).read_bytes(), [f"--stdin-filename={file}"])
    return findings(syncl, top, [file if way == "hook" else os.path.dirname(file) or "."])


def copied(folder, into):
    top = pathlib.Path(into, pathlib.Path(folder).name)
    shutil.copytree(folder, top / top.name, symlinks=True)
    (top / "pyproject.toml").write_text("")
    return top


def show(file, way, whole, here):
    print(f"{file}: {way}: {len(set(whole) - set(here))} findings of the whole run missing, {len(set(here) - set(whole))} others")
    for sign, lines in (("-", set(whole) - set(here)), ("+", set(here) - set(whole))):
        for line in sorted(lines):
            print("   ", sign, line)


def taken(syncl, top, file, cache):
    """Seconds of the clock, and of all cores."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([syncl, *OPTIONS, file], cwd=top, capture_output=True, env=os.environ | {"XDG_CACHE_HOME": cache})
    clock, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def edited(syncl, top, file, cache):
    with open(top / file, "a") as out:
        out.write("\n# edited\n")
    return taken(syncl, top, file, cache)


def show_times(syncl, top, files, into):
    cache = str(pathlib.Path(into, "cache"))
    every = len(list(top.rglob("*.py")))
    taken(syncl, top, files[0], cache)
    taken(syncl, top, files[0], cache)
    again = min(taken(syncl, top, files[0], cache) for _ in range(3))
    other = min(taken(syncl, top, file, cache) for file in files[1:4])
    changed = min(edited(syncl, top, files[0], cache) for _ in range(3))
    print(f"{top.name:<28} {every:>5}   " + "   ".join(f"{clock:>6.2f} {cpu:>6.2f}" for clock, cpu in (again, other, changed)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("syncl")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--times", action="store_true")
    args = parser.parse_args()
    syncl = os.path.abspath(args.syncl)
    with tempfile.TemporaryDirectory() as into:
        tops = [copied(folder, into) for folder in args.folders]
        every = [(top, str(path.relative_to(top))) for top in tops for path in sorted(top.rglob("*.py"))]
        drawn = random.Random(args.seed).sample(every, min(args.files, len(every)))
        if args.times:
            print(f"{'project':<28} files   {'once more':>13}   {'another':>13}   {'edited':>13}")
            for top in tops:
                show_times(syncl, top, [file for of, file in drawn if of == top], into)
            return 0
        rows, all_differ = [], 0
        for top in tops:
            files = sorted(file for of, file in drawn if of == top)
            whole = findings(syncl, top, ["."])
            differ = dict.fromkeys(WAYS, 0)
            for file in files:
                for way in WAYS:
                    here = given(syncl, top, file, way).get(file, [])
                    if here != whole.get(file, []):
                        differ[way] += 1
                        if args.show:
                            show(file, way, whole.get(file, []), here)
            rows.append((top.name, len(files), sum(len(whole.get(file, [])) for file in files), *differ.values()))
            all_differ += sum(differ.values())
    rows.append(("together", *(sum(row[i] for row in rows) for i in range(1, 6))))
    print(f"{'project':<28} files findings {' '.join(WAYS)}")
    for row in rows:
        print(f"{row[0]:<28} {row[1]:>5} {row[2]:>8} {row[3]:>4} {row[4]:>6} {row[5]:>6}")
    return 1 if all_differ else 0


if __name__ == "__main__":
    sys.exit(main())
