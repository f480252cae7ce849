#!/usr/bin/env python3
"""Draws a seeded sample of findings at the default confidence from the reports of corpus/scan.py.

usage: sample.py SEED COUNT REPORTS_DIR > sample.tsv

Stratified: packages take turns, and within a package its rules take turns; within (package, rule) the
draw is random. The sample shows neither confidence nor price, so that the reader judges the code alone.
"""
import json, pathlib, random, sys

seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
dice = random.Random(seed)
packages = {}
for report in sorted(folder.glob("*.json")):
    rules = {}
    for one in json.loads(report.read_text())["findings"]:
        if one["confidence"] != "possible":
            rules.setdefault(one["rule"], []).append(one)
    for rule in sorted(rules):
        rules[rule].sort(key=lambda one: (one["file"], one["line"], one["column"]))
        dice.shuffle(rules[rule])
    turns = [rules[rule] for rule in sorted(rules)]
    dice.shuffle(turns)
    packages[report.stem] = turns
drawn = []
while len(drawn) < count and packages:
    for name in sorted(packages):
        if not packages[name]:
            del packages[name]
            continue
        turn = packages[name].pop(0)
        drawn.append((name, turn.pop()))
        if turn:
            packages[name].append(turn)
print("package\tfile\tline\tcolumn\trule\tlevel\tverdict\treason")
for name, one in drawn[:count]:
    print(f"{name}\t{one['file']}\t{one['line']}\t{one['column']}\t{one['rule']}\t{one['level']}\t\t")
