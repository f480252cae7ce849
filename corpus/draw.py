#!/usr/bin/env python3
"""Draws the files that a reader searches for waits, before syncl runs on them: a recall list begins here.

usage: draw.py SEED PER_PACKAGE FOLDER... > files.tsv    the FOLDERs hold unpacked packages, one in each folder below

A file is drawn if it imports torch, has 60 to 1,500 lines, is no test and stands in no recall table of corpus/count yet.
"""
import pathlib, random, re, sys

TORCH = re.compile(r"^\s*(import torch|from torch)\b", re.M)
NO_CODE_OF_USERS = re.compile(r"(^|/)(tests?|testing|docs)/|(^|/)(test_[^/]*|__init__|setup)\.py$")


def known():
    tables = pathlib.Path(__file__).parent.glob("count/recall-*.tsv")
    return {line.split("\t")[1] for table in tables for line in table.read_text().splitlines()[1:] if "\t" in line}


def candidates(package, seen):
    for path in sorted(package.rglob("*.py")):
        name = str(path.relative_to(package.parent))
        text = path.read_text(errors="replace")
        if not NO_CODE_OF_USERS.search(name) and name not in seen and TORCH.search(text) and 60 <= text.count("\n") <= 1500:
            yield name


dice, per_package, seen = random.Random(int(sys.argv[1])), int(sys.argv[2]), known()
print("package\tfile")
for folder in sys.argv[3:]:
    for package in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
        names = list(candidates(package, seen))
        for name in sorted(dice.sample(names, min(per_package, len(names)))):
            print(f"{package.name}\t{name}")
