#!/usr/bin/env python3
"""Metamorphic test over packages: does a file say the same alone, with its folder, and with its whole tree?

usage: whole.py SYNCL FOLDER [--files N] [--seed S] > TABLE

FOLDER holds each package unpacked, in a folder of its own. Of each, N files that speak of torch are drawn. A finding is its line, column
and rule; what is told by default counts. Prints each finding that one of two runs has alone, with its confidence, and how many are
the same; corpus/count/whole.tsv has the fact that makes each difference.
"""
import argparse, collections, json, pathlib, random, subprocess


def told(syncl, path):
    out = subprocess.run([syncl, "--output-format=json", "--no-cache", "--isolated", str(path)], capture_output=True, text=True).stdout
    files = collections.defaultdict(dict)
    for one in json.loads(out)["findings"] if out else []:
        files[one["file"]][one["line"], one["column"], one["rule"]] = one["confidence"]
    return files


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("syncl")
    asked.add_argument("folder", type=lambda text: pathlib.Path(text).resolve())
    asked.add_argument("--files", type=int, default=6)
    asked.add_argument("--seed", type=int, default=26)
    given = asked.parse_args()
    dice, counts = random.Random(given.seed), collections.Counter()
    print("file", "line", "column", "rule", "confidence", "lost", sep="\t")
    for package in sorted(path for path in given.folder.iterdir() if path.is_dir()):
        tree = told(given.syncl, package)
        files = [path for path in sorted(package.rglob("*.py")) if b"torch" in path.read_bytes()]
        for path in dice.sample(files, min(given.files, len(files))):
            name = str(path)
            runs = {"file": told(given.syncl, path)[name], "folder": told(given.syncl, path.parent)[name], "tree": tree[name]}
            counts["files"] += 1
            for less, more in (("file", "folder"), ("folder", "tree")):
                counts[f"{less} and {more}"] += len(runs[less].keys() & runs[more].keys())
                for place in sorted(runs[less].keys() ^ runs[more].keys()):
                    alone = less if place in runs[less] else more
                    counts[f"{alone} alone, not {more if alone == less else less}"] += 1
                    print(path.relative_to(given.folder), *place, runs[alone][place], f"{more if alone == less else less} ({alone} has it)", sep="\t")
    print("#", ", ".join(f"{count} {what}" for what, count in counts.items()))


main()
