#!/usr/bin/env python3
"""Says what has become of the judged rows of corpus/count/first-ten-N.tsv.

usage: first_ten.py SYNCL FOLDER [--rows] [--all] TABLE...

FOLDER holds each package unpacked, in a folder of its name in small letters with hyphens. Counted are the rows that not every reader
called true, and the others: how many are gone, are told as `possible` only, are told with the option that they need (JSON's
frequency.only), are told with another frequency, or stand as before; and the same of those that all readers call worth acting on.
--rows prints the former, with --all the others as well.
"""
import collections, json, pathlib, subprocess, sys


def rows(table):
    header, *lines = [line.split("\t") for line in pathlib.Path(table).read_text().splitlines()]
    return [dict(zip(header, line)) for line in lines]


def report(syncl, folder):
    out = subprocess.run([syncl, "--output-format=json", "--no-cache", "--min-confidence=possible", str(folder)],
                         capture_output=True, text=True).stdout
    found = collections.defaultdict(list)
    for one in json.loads(out)["findings"]:
        found[one["rule"], one["line"]].append(one)
    return found


def state(row, found):
    line, _, column = row["line"].partition(":")
    name = row["file"].removeprefix("./")
    here = [one for one in found.get((row["rule"], int(line)), []) if one["file"].endswith(name)
            and (not column or one["column"] == int(column))]
    if not here:
        return "gone", ""
    one = here[0]
    now = one["frequency"]
    told = now["text"] + ", " + one["confidence"]
    if one["confidence"] == "possible":
        return "possible", told
    if now.get("only"):
        return "with its option", told
    return ("as before" if now["text"] == row["frequency"] else "another frequency"), told


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if len(words) < 3:
        sys.exit(__doc__)
    syncl, folder, *tables = words
    reports = {}
    for table in tables:
        wrong, right, worth = collections.Counter(), collections.Counter(), collections.Counter()
        for row in rows(table):
            verdicts = [row[key] for key in ("reader", "reader_1", "reader_2") if key in row]
            name = row["package"].lower()
            if name not in reports:
                reports[name] = report(syncl, pathlib.Path(folder) / name)
            what, told = state(row, reports[name])
            true = all(verdict == "true" for verdict in verdicts)
            (right if true else wrong)[what] += 1
            acts = [row[key] for key in ("act", "worth", "worth_1", "worth_2") if key in row]
            if acts and all(act == "yes" for act in acts):
                worth[what] += 1
            if "--rows" in sys.argv and (not true or "--all" in sys.argv):
                print(row["package"], row["file"], row["line"], row["rule"], "/".join(verdicts), "|", row["frequency"], "|", what, told, sep="  ")
        for title, counts in (("not true to every reader", wrong), ("true", right), ("worth acting on", worth)):
            print(f"{pathlib.Path(table).name}: {sum(counts.values())} {title}: "
                  + ", ".join(f"{count} {what}" for what, count in counts.most_common()))


main()
