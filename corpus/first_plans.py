#!/usr/bin/env python3
"""Is what a reader would have done first in a package named in the first three groups of its plan?

    python3 corpus/first_plans.py build/syncl FOLDER    FOLDER/PACKAGE holds the sources, as unpacked

Reads corpus/count/first-plans.tsv: the places are what `file.py:LINES` of its column readers_first names; a file without a line
stands for any. A place is named where a group's lines of 100 columns show its file and one of its lines. Packages that are not
there are left out. What is in the table was known while the order was made: it is no measure of new code.
"""
import csv
import os
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).parent / "count/first-plans.tsv"
PLACE = re.compile(r"([\w./-]+\.py)(?::([\d,-]+))?")


def lines_of(text):
    """"445-451,460": a set; none = any."""
    found = set()
    for part in filter(None, (text or "").split(",")):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1)) if first else set()
    return found


def groups_of(syncl, folder):
    """The groups of the plan, each its file and its lines joined."""
    out = subprocess.run([syncl, "--isolated", "--exit-zero", "."], cwd=folder, capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"}).stdout
    plan = out.partition("What to do first")[2].partition("\n\n")[2].partition("\n\n")[0]
    starts = [found.start() for found in re.finditer(r"^\d+\. ", plan, re.M)] + [len(plan)]
    groups = [" ".join(plan[a:b].split()) for a, b in zip(starts, starts[1:])]
    return [(re.match(r"\d+\. (.*?):(?:cell \d+:)?\d+ ", text)[1], text) for text in groups]


def names(file, text, suffix, lines):
    for path, at in re.findall(r"([\w./-]+\.py):(\d+)", text):
        if path.endswith(suffix.split("/")[-1]) and (not lines or int(at) in lines):
            return True
    bare = {int(at) for at in re.findall(r"(?<![\w.:/])(\d+)(?=[,;) .:]|$)", text)}
    return file.endswith(suffix) and (not lines or bool(bare & lines))


if __name__ == "__main__":
    syncl, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    total = within = 0
    for row in csv.DictReader(TABLE.open(), delimiter="\t"):
        if not (folder / row["package"]).is_dir():
            continue
        places = [(file, lines_of(at)) for file, at in PLACE.findall(row["readers_first"])]
        groups = groups_of(syncl, folder / row["package"])
        rank = next((n for n, group in enumerate(groups, 1) if any(names(*group, *place) for place in places)), None)
        print(row["draw"], row["package"], rank or "absent", sep="\t")
        total, within = total + 1, within + (rank is not None and rank <= 3)
    print(f"{within} of {total} in the first three")
