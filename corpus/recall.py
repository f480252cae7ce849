#!/usr/bin/env python3
"""The waits of corpus/count/recall-2.tsv again: the surest finding of any rule on each line, as recall-3.tsv keeps it.

usage: recall.py SYNCL FOLDER    FOLDER holds the unpacked packages, as scan.py leaves them in DIR/src
"""
import collections, json, pathlib, subprocess, sys

ORDER = ("none", "possible", "likely", "certain")


def findings(syncl, place):
    """{(path below the package's folder, line): surest confidence} of what may wait."""
    run = subprocess.run([syncl, "--isolated", "--exit-zero", "--min-confidence=possible", "--output-format=json", place],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    surest = collections.defaultdict(lambda: "none")
    for one in json.loads(run.stdout)["findings"]:
        if one["kind"] == "wait":
            key = str(pathlib.Path(one["file"]).resolve().relative_to(place.resolve())), one["line"]
            surest[key] = max(surest[key], one["confidence"], key=ORDER.index)
    return surest


syncl, folder = sys.argv[1], pathlib.Path(sys.argv[2])
table = pathlib.Path(__file__).resolve().parent / "count" / "recall-2.tsv"
rows = [line.split("\t")[:5] for line in table.read_text().splitlines()[1:]]
reported = {package: findings(syncl, folder / package.replace("-", "_")) for package in sorted({row[0] for row in rows})}
print("package\tfile\tline\trule\twhat\tsurest finding on the line")
for row in sorted(rows, key=lambda row: row[0]):
    print("\t".join(row + [reported[row[0]][row[1], int(row[2])]]))
