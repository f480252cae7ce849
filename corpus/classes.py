#!/usr/bin/env python3
"""Which classes of findings are right as often as their confidence says: judged tables of corpus/count joined with reports.

usage: classes.py REPORTS_DIR TABLE.tsv...    REPORTS_DIR as scan.py leaves it, made with --min-confidence=possible

A class is what the report says of a finding: its rule, API, unit of frequency, level, doubts, and what the belief in the
GPU starts from (the last reason of role gpu); and each two of these together. Printed are, by confidence as reported now,
the classes with at least 8 judged findings whose share of true ones is 10 points or more from that of the confidence:
true, false, share, class. Unsure ones count nowhere; of a finding in several tables the last verdict does. What is mended
since a table was judged is no longer among its false ones: the shares of fresh tables are the honest ones.
"""
import collections, itertools, json, pathlib, re, sys

LEAST, APART = 8, 10


def reported(folder):
    """{(path below src/, line, rule): findings}"""
    found = collections.defaultdict(list)
    for report in pathlib.Path(folder).glob("*.json"):
        for one in json.loads(report.read_text())["findings"]:
            found[one["file"].split("/src/")[-1], one["line"], one["rule"]].append(one)
    return found


def judged(tables):
    """{(path, line, rule, column): verdict}"""
    verdicts = {}
    for table in tables:
        head, *rows = (line.split("\t") for line in pathlib.Path(table).read_text().splitlines())
        for row in (dict(zip(head, row)) for row in rows):
            path = row["file"].split("/src/")[-1]
            verdicts[path, int(row["line"]), row["rule"], int(row["column"])] = row["verdict"]
    return verdicts


def traits(one):
    gpu = [reason["text"] for reason in one["why"] if reason["role"] == "gpu"]
    begins = re.sub(r"`[^`]*`", "_", gpu[-1]) if gpu else "nothing said"
    return {f"rule {one['rule']}", f"api {one['api']}", f"unit {one['frequency']['unit']}", f"level {one['level']}",
            "doubts " + ",".join(one.get("doubts", ["none"])), f"begins {begins}"}


def count(found, verdicts):
    counts = collections.defaultdict(lambda: [0, 0])
    for (path, line, rule, column), verdict in verdicts.items():
        package = path.split("/")[0]
        same = found.get((path, line, rule)) or found.get((f"{package}/{path}", line, rule))
        if verdict == "unsure" or not same:
            continue
        one = next((one for one in same if one["column"] == column), same[0])
        own = sorted(traits(one))
        for group in itertools.chain([()], ((trait,) for trait in own), itertools.combinations(own, 2)):
            counts[one["confidence"], group][verdict == "false"] += 1
    return counts


def adds_nothing(of, group, counts):
    """A pair that holds just what one of its two traits does."""
    return len(group) == 2 and any(counts[of, (trait,)] == counts[of, group] for trait in group)


counts = count(reported(sys.argv[1]), judged(sys.argv[2:]))
for level in ("certain", "likely", "possible"):
    true, false = counts[level, ()]
    share = 100 * true / max(1, true + false)
    print(f"{level}: {true} true, {false} false, {share:.0f} %")
    for (of, group), (yes, no) in sorted(list(counts.items()), key=lambda item: (-sum(item[1]), item[0])):
        part = 100 * yes / max(1, yes + no)
        if of == level and group and yes + no >= LEAST and abs(part - share) >= APART and not adds_nothing(of, group, counts):
            print(f"{yes:4} {no:4} {part:4.0f} %  {' & '.join(group)}")
