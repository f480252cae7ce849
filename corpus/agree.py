#!/usr/bin/env python3
"""Does a hook say what CI says? Of sampled files of a project, the findings by every way in which the file may be given.

    python3 corpus/agree.py SYNCL FOLDER... [--files N] [--seed S] [--show]

Each FOLDER is copied into an empty folder, with a pyproject.toml that marks its top. It is given to syncl whole (CI); then, of N
files drawn from all folders, each alone (a hook), on standard input (an editor), and the folder that it stands in. Every
finding of the file must be the same JSON, byte for byte, and none may be missing. --show prints those that are not.
A table: files, findings of those files in the whole run, how many files each way disagrees on. Exit 1: one does.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("syncl")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    syncl = os.path.abspath(args.syncl)
    with tempfile.TemporaryDirectory() as into:
        tops = [copied(folder, into) for folder in args.folders]
        every = [(top, str(path.relative_to(top))) for top in tops for path in sorted(top.rglob("*.py"))]
        drawn = random.Random(args.seed).sample(every, min(args.files, len(every)))
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
