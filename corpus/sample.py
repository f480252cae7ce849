#!/usr/bin/env python3
"""Draws a seeded sample of findings from the JSON reports of corpus/scan.py, to be judged by a reader.

usage: sample.py SEED REPORTS_DIR [default=N] [certain=N] [likely=N] [possible=N] > sample.tsv
       sample.py --reveal REPORTS_DIR judged.tsv > counted.tsv
       sample.py --count counted.tsv [EARLIER.tsv ...]

Stratified: packages take turns, and within a package its rules take turns; within (package, rule) the draw is
random; no finding is drawn twice. `default` draws from what a plain run shows (likely and certain). The sample
shows neither confidence nor price and stands in the order of the files, so that the reader judges the code alone.
--reveal adds the confidence to a judged table. --count says of a counted one how many are true, false and unsure, and
the share of the true ones among the two, with the interval that holds it in 95 of 100 such samples (Wilson's); with earlier tables also of those that stand in none of them.
"""
import json, pathlib, random, sys

SURE = {"default": ("certain", "likely"), "certain": ("certain",), "likely": ("likely",), "possible": ("possible",)}
PLACE = ("file", "line", "column", "rule")


def findings(folder):
    for report in sorted(pathlib.Path(folder).glob("*.json")):
        yield report.stem, json.loads(report.read_text())["findings"]


def draw(dice, reports, confidences, count, taken):
    packages = {}
    for package, found in reports:
        rules = {}
        for one in found:
            if one["confidence"] in confidences and (package, one["id"]) not in taken:
                rules.setdefault(one["rule"], []).append(one)
        for rule in sorted(rules):
            rules[rule].sort(key=lambda one: [one[key] for key in PLACE])
            dice.shuffle(rules[rule])
        turns = [rules[rule] for rule in sorted(rules)]
        dice.shuffle(turns)
        packages[package] = turns
    drawn = []
    while len(drawn) < count and packages:
        for name in sorted(packages):
            if not packages[name]:
                del packages[name]
            elif len(drawn) < count:
                turn = packages[name].pop(0)
                drawn.append((name, turn.pop()))
                if turn:
                    packages[name].append(turn)
    taken.update((name, one["id"]) for name, one in drawn)
    return drawn


def sample(seed, folder, wanted):
    dice, reports, taken, drawn = random.Random(seed), list(findings(folder)), set(), []
    for one in wanted:
        name, count = one.split("=")
        drawn += draw(dice, reports, SURE[name], int(count), taken)
    print("\t".join(("package", *PLACE, "level", "verdict", "reason")))
    for name, one in sorted(drawn, key=lambda pair: [pair[0]] + [pair[1][key] for key in PLACE]):
        print("\t".join(str(cell) for cell in (name, *(one[key] for key in PLACE), one["level"], "", "")))


def reveal(folder, judged):
    sure = {(package, *(str(one[key]) for key in PLACE)): one["confidence"]
            for package, found in findings(folder) for one in found}
    header, *lines = [line.split("\t") for line in pathlib.Path(judged).read_text().splitlines()]
    print("\t".join(header[:6] + ["confidence"] + header[6:]))
    for line in lines:
        print("\t".join(line[:6] + [sure[tuple(line[:5])]] + line[6:]))


def rows(table):
    header, *lines = [line.split("\t") for line in pathlib.Path(table).read_text().splitlines()]
    return [dict(zip(header, line)) for line in lines]


def interval(true, judged):
    """Wilson's, at 95 %."""
    if not judged:
        return 0.0, 1.0
    z2, share = 1.96**2, true / judged
    middle = (share + z2 / (2 * judged)) / (1 + z2 / judged)
    half = (z2 * (share * (1 - share) + z2 / (4 * judged)) / judged) ** 0.5 / (1 + z2 / judged)
    return middle - half, middle + half


def count(table, *earlier):
    known = {tuple(row[key] for key in PLACE) for other in earlier for row in rows(other)}
    new = [row for row in rows(table) if tuple(row[key] for key in PLACE) not in known]
    for name, some in [("all", rows(table))] + [("new", new)] * bool(earlier):
        for sure in ("certain", "likely", "possible"):
            true, false, unsure = (sum(row["confidence"] == sure and row["verdict"] == verdict for row in some)
                                   for verdict in ("true", "false", "unsure"))
            low, high = interval(true, true + false)
            print(f"{name}\t{sure}\t{true}, {false}, {unsure}: {true / max(1, true + false):.0%} ({low:.0%} to {high:.0%})")


if sys.argv[1] == "--reveal":
    reveal(*sys.argv[2:4])
elif sys.argv[1] == "--count":
    count(*sys.argv[2:])
else:
    sample(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
