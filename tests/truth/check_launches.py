#!/usr/bin/env python3
"""Do the stubs say how many GPU operations a model queues as it was counted? Holds rules/api/*.pyi against the rows of
rules/api/launches.tsv that begin with `model`. Needs no GPU.

A row counts when a stub has a class of that name with `@launches`; one whose label has a number behind the name (`model
transformers.LlamaForCausalLM 8`) was counted with so many layers, where the stub speaks of the usual 24 or 32: it is left
out here. A difference of 3 % or of four operations is allowed: the
sum behind the forward pass, and what a first gradient adds.
"""
import collections
import glob
import os
import re
import sys

import pages


def stubs():
    """qualified name of a class -> (forward, backward) of its first __call__ that says so."""
    found = {}
    for path in sorted(glob.glob(os.path.join(pages.ROOT, "rules", "api", "*.pyi"))):
        module, owner, said = "", "", None
        for line in open(path):
            head = re.match(r"# module (\S+)", line) or re.match(r"class (\w+)", line)
            launches = re.match(r"    @launches\((\d+)(?:, backward=(\d+))?\)", line)
            if line.startswith("# module"):
                module = head[1]
            elif head:
                owner, said = f"{module}.{head[1]}", None
            elif launches:
                said = int(launches[1]), int(launches[2] or 0)
            elif re.match(r"    def ", line):
                if said and "def __call__" in line:
                    found.setdefault(owner, said)
                said = None
    return found


def counted():
    """name -> rows (forward, backward), in training."""
    rows = collections.defaultdict(list)
    for line in pages.read("rules/api/launches.tsv").split("\n"):
        cells = line.split("\t")
        fewer = re.match(r"model \S+ \d+ params", cells[0])
        if cells[0].startswith("model ") and not fewer and " eval " not in cells[0] and cells[1].isdigit() and cells[2].isdigit():
            rows[cells[0].split()[1]].append((int(cells[1]), int(cells[2])))
    return rows


def near(said, row):
    return all(abs(a - b) <= max(4, 0.03 * b) for a, b in zip(said, row))


def main():
    said, wrong, held = stubs(), 0, 0
    for name, rows in counted().items():
        name = name.replace("timm.", "timm.models.") if name.startswith("timm.") else name
        if name not in said:
            continue
        held += 1
        if not any(near(said[name], row) for row in rows):
            wrong += 1
            print(f"{name}: the stub says {said[name]}, counted were {rows}")
    print(f"note: {held} models of rules/api/launches.tsv have a stub")
    print(f"[  PASSED  ] {held - wrong} test(s).")
    if wrong or not held:
        print(f"[  FAILED  ] {wrong} test(s).")
    sys.exit(1 if wrong or not held else 0)


main()
