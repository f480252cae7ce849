#!/usr/bin/env python3
"""The waits of a table of corpus/count again: the surest finding of any rule on each line, as recall-3.tsv and the last
column of recall-4.tsv keep it.

usage: recall.py SYNCL TABLE FOLDER...    the FOLDERs hold the unpacked packages, as scan.py leaves them in DIR/src
"""
import collections, json, pathlib, subprocess, sys

ORDER = ("none", "possible", "likely", "certain")


def findings(syncl, place):
    """{(path below the package's parent folder, line): surest confidence} of what may wait."""
    run = subprocess.run([syncl, "--isolated", "--no-cache", "--exit-zero", "--min-confidence=possible", "--output-format=json", place],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    surest = collections.defaultdict(lambda: "none")
    for one in json.loads(run.stdout)["findings"]:
        if one["kind"] == "wait":
            key = str(pathlib.Path(one["file"]).resolve().relative_to(place.resolve().parent)), one["line"]
            surest[key] = max(surest[key], one["confidence"], key=ORDER.index)
    return surest


syncl, table, folders = sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(name) for name in sys.argv[3:]]
rows = [line.split("\t")[:5] for line in table.read_text().splitlines()[1:]]
reported = {}
for package in sorted({row[0] for row in rows}):
    name = package.replace("-", "_")
    name = package if any((folder / package).is_dir() for folder in folders) else name
    place = next(folder / name for folder in folders if (folder / name).is_dir())
    reported[package] = name, findings(syncl, place)
print("package\tfile\tline\trule\twhat\tsurest finding on the line")
for row in sorted(rows, key=lambda row: row[0]):
    name, surest = reported[row[0]]
    paths = row[1], f"{name}/{row[1]}"  # tables name files below the FOLDER, or below the package's own
    print("\t".join(row + [max((surest[path, int(row[2])] for path in paths), key=ORDER.index)]))
