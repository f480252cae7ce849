#!/usr/bin/env python3
"""Checks analyzer/LAYERS: every file stands in one layer and includes only its own and lower ones."""
import fnmatch, glob, os, re, sys

layers = [line.split() for line in open("analyzer/LAYERS") if line.strip() and line[0] != "#"]


def layer_of(stem):
    for level, words in enumerate(layers):
        if stem in words:
            return level
    matches = [level for level, words in enumerate(layers) if any(fnmatch.fnmatch(stem, word) for word in words)]
    return matches[0] if len(matches) == 1 else None


failed = False
for path in sorted(glob.glob("analyzer/*.[ch]")):
    stem = os.path.splitext(os.path.basename(path))[0]
    level = layer_of(stem)
    if level is None:
        print(f"{path}: stands in no layer, or in several, of analyzer/LAYERS")
        failed = True
        continue
    for number, line in enumerate(open(path), 1):
        include = re.match(r'#include "([\w/]+)\.\w+"', line)
        if not include:
            continue
        other = layer_of(include.group(1))
        if other is None or other > level:
            print(f"{path}:{number}: includes {include.group(1)}, which is of a higher layer or of none")
            failed = True
sys.exit(failed)
