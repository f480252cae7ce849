#!/usr/bin/env python3
"""What the recordings of tests/truth/recordings.tsv showed, counted: how often --trace was right.

    python3 tests/truth/recordings.py [MODE]      cuda (CUDA activities only), cpu or stack

A row of the table is a set of changes of a loop: what it was measured to save, and what --trace said of it (trace_table.py).
A loss counts when 20 rounds were measured and its half-width is at most max(20 us, 0.3 % of the step); of five half-widths
or more it exceeds the noise.
"""
import collections
import csv
import os
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recordings.tsv")
CLEAR = 5  # half-widths
TOGETHER = (("first", "second", "third"), ("fourth", "fifth", "sixth", "seventh", "eighth", "ninth"), ("eleventh", "twelfth"),
            ("thirteenth", "fourteenth", "fifteenth"))


def rows(mode):
    with open(TABLE) as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["mode"] == mode and row["counts"] == "yes":
                yield row


def judged(row):
    """(what it is, right, right where the measurement's half-width is allowed for)"""
    verdict = row["verdict"]
    if verdict == "not trusted":
        return "not trusted", False, False
    if verdict in ("zero", "NOT ZERO"):
        return "zero", verdict == "zero", verdict == "zero"
    return "loss", " " not in verdict, not verdict.endswith("X")


def counted(mode):
    counts = collections.defaultdict(collections.Counter)
    for row in rows(mode):
        kind, right, near = judged(row)
        count = counts[row["recording"]]
        count[kind] += 1
        count[kind + " right"] += right
        count[kind + " near"] += near
        if kind == "loss" and float(row["saved_us"]) >= CLEAR * float(row["half_width_us"]):
            count["clear"] += 1
            count["clear right"] += right
    return counts


def line(name, count):
    return (f"| {name} | {count['loss']} | {count['loss right']} | {count['loss near']} | {count['clear right']} of {count['clear']} | "
            f"{count['zero right']} of {count['zero']} |")


def main():
    counts = counted(sys.argv[1] if len(sys.argv) > 1 else "cuda")
    print("| recording | counted losses | within 0.8..1.25 | within, given the half-width | of those that exceed the noise | zeros said to be zero |")
    print("|---|---|---|---|---|---|")
    for name, count in counts.items():
        print(line(name, count))
        for names in TOGETHER:
            if name == names[-1]:
                print(line(f"{names[0]} to {name}", sum((counts[one] for one in names), collections.Counter())))


main()
