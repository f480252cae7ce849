#!/usr/bin/env python3
"""Checks analyzer/LAYERS: every file stands in one layer and includes only its own and lower ones."""
import fnmatch, glob, os, re, sys

layers = []  # (level, room, stems)
for line in open("analyzer/LAYERS"):
    if line.strip() and line[0] != "#":
        room, stems = line.removeprefix("& ").split(":")
        above = layers[-1][0] if layers else -1
        layers.append((above if line.startswith("& ") else above + 1, room, stems.split()))


def layer_of(path):
    """The layer of a file, or None if none or several are its own. A whole word beats a pattern."""
    room = os.path.dirname(path)[len("analyzer/"):] or "."
    stem = os.path.splitext(os.path.basename(path))[0]
    mine = [(level, words) for level, place, words in layers if place == room]
    exact = [level for level, words in mine if stem in words]
    matches = exact or [level for level, words in mine if any(fnmatch.fnmatch(stem, word) for word in words)]
    return matches[0] if len(matches) == 1 else None


failed = False
files = sorted(path for path in glob.glob("analyzer/**/*.*", recursive=True) if path.endswith((".c", ".h", ".def")))
layer = {os.path.basename(path): layer_of(path) for path in files}
if len(layer) != len(files):
    print("analyzer/: two files have the same name, and every room is on the include path")
    failed = True
for path in files:
    level = layer[os.path.basename(path)]
    if level is None:
        print(f"{path}: stands in no layer, or in several, of analyzer/LAYERS")
        failed = True
        continue
    for number, line in enumerate(open(path), 1):
        include = re.match(r'#include "([\w/.]+)"', line)
        if include and include.group(1).startswith("../calib/"):
            continue  # profile.def, the one table that calibrator and analyser share
        if include and (layer.get(include.group(1)) is None or layer[include.group(1)] > level):
            print(f"{path}:{number}: includes {include.group(1)}, which is of a higher layer or of none")
            failed = True
sys.exit(failed)
