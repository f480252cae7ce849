#!/usr/bin/env python3
"""Counts the rows of analyzer/report/worth.def in what readers judged, and says how well an order by them would be.

usage: worth.py SYNCL FOLDER [--rows]    FOLDER holds each package of corpus/count/first-ten-*.tsv unpacked, in a folder of its name in small letters

--rows: the table as worth.def wants it. Else, of findings that are still reported: how many pairs of one package, of which all readers
call one worth acting on and the other not, stand in order, and how many of the first five and three are worth it: as syncl orders them,
and as weights would whose rates were counted in the other draws alone.
"""
import collections, concurrent.futures, csv, json, math, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "analyzer/report/worth.def"
SENT = float(re.search(r"sent = ([\d.]+);", (ROOT / "analyzer/report/worth.c").read_text())[1])
PARTS = {name: float(part) for name, part in re.findall(r"WORTH\((\w+), [\d.]+, [\d.]+, ([\d.]+)\)", TABLE.read_text())}
DOES = {page.stem: re.findall(r"^Does: (.*)", page.read_text(), re.M) for page in (ROOT / "rules").glob("*.md")}
FORWARD = re.compile(r"def (forward|__call__|\w*train(ing)?_step)\b")
OF_FUNCTION = re.compile(r"of `(async )?def ")
SEEN = {"page": {"page"}, "guarded": {"branch"}, "annotated": {"annotation"}, "probe": {"probe"}}
BY_GAIN, LEAST_TURN_US, BY_REACH = 0.25, 3000, 0.25


def judged():
    for table in sorted((ROOT / "corpus/count").glob("first-ten-*.tsv")):
        for row in csv.DictReader(table.open(), delimiter="\t", quoting=csv.QUOTE_NONE):
            said = [row[key] == "yes" for key in ("act", "worth", "worth_1", "worth_2") if row.get(key)]
            if said: # first-ten-6 and -7 say what is real, not what is worth it
                yield row | {"yes": sum(said) / len(said), "package": row["package"].lower(), "draw": table.stem}


def report(syncl, folder):
    out = subprocess.run([syncl, "--isolated", "--exit-zero", "--no-cache", "--output-format=json", "."], cwd=folder, capture_output=True, text=True)
    return json.loads(out.stdout)


def found(row, report):
    line, _, column = row["line"].partition(":")
    name = row["file"].removeprefix("./")
    for rank, one in enumerate(report["findings"]):
        same = one["file"].endswith(name) or name.endswith(one["file"])
        if same and (one["rule"], one["line"]) == (row["rule"], int(line)) and (not column or one["column"] == int(column)):
            return rank, one
    return None, None


def robust(us):
    low, high = us["low_us"] or 0, us["high_us"] or 0
    return high / 4 if high < 0.5 else max(low, 0.5) ** 0.75 * max(high, low, 0.5) ** 0.25


def has_training(report):
    """Something is found in a loop that trains: in no method that somebody else's loop asks for a step, and not in `examples/`."""
    loops = {loop["id"] for loop in report["loops"] if not OF_FUNCTION.search(loop["name"])}
    return any(is_step(one) and one["standing"] != "beside" and one["loop"] in loops for one in report["findings"])


def rows_of(one, loop, trains):
    """The rows of worth.def that a finding counts in; trains: a loop of its package does."""
    often = one["frequency"]
    unit = "step" if often["unit"] == "batch" else often["unit"]
    if unit == "epoch" or not loop:
        turn = "epoch"
    else:
        turn = "far" if unit == "step" and loop["file"] != one["file"] else unit
        turn = "forward" if unit == "call" and FORWARD.search(loop["name"]) else turn
        turn = "unreached" if turn == "forward" and trains else turn
    rows = [turn, one["confidence"]]
    rows += ["seldom"] if often.get("every") != 1 else []
    rows += ["option"] if often.get("only") else []
    rows += {"needed": ["needed"], "unknown": ["undecided"]}.get(one["need"], [])
    rows += ["held"] if "a wait that stays stands right" in one["cost"]["text"] else []
    rows += ["saved"] if one.get("purpose") == "saved" else []
    rows += [row for row, words in SEEN.items() if words & set(one.get("doubts") or [])]
    rows += {"beside": ["side"], "stray": ["stray"]}.get(one["standing"], [])
    return rows + [word for word in ("works", "inheres") if word in does_of(one)]


def is_step(one):
    return one["frequency"]["unit"] in ("step", "batch")


def does_of(one):
    return " ".join(DOES[one["rule"]]).split()


def gain(one, loop):
    turn = loop["turn"] if loop else None
    turn_us = math.sqrt((turn["low_us"] or 0) * (turn["high_us"] or 0)) if turn else 0
    return min(robust(one["cost"]["marginal"]) / max(turn_us, LEAST_TURN_US), 1) ** BY_GAIN


def counted(cases):
    counts = collections.defaultdict(lambda: [0, 0])
    for case in cases:
        for row in case["rows"]:
            counts[row][0] += case["yes"]
            counts[row][1] += 1
    return counts


def rate(counts, row):
    return (counts[row][0] + 1) / (counts[row][1] + 2)


def weight(case, counts):
    """As worth.c does it."""
    product = case["gain"] * (SENT if case["sent"] else 1) * (1 + case["also"]) ** BY_REACH
    for row in case["rows"]:
        product *= rate(counts, row) * PARTS[row]
    return product


def judge(title, cases, score):
    good = pairs = 0
    first = {3: [], 5: []}
    for package in {case["package"] for case in cases}:
        here = sorted((case for case in cases if case["package"] == package), key=score, reverse=True)
        for a in here:
            for b in here:
                if a["yes"] == 1 and b["yes"] == 0:
                    pairs += 1
                    good += (score(a) > score(b)) + (score(a) == score(b)) / 2
        for most, all in first.items():
            all += [case["yes"] for case in here[:most]]
    firsts = ", ".join(f"of the first {most} {sum(all):g} of {len(all)} ({sum(all) / len(all):.2f})" for most, all in first.items())
    print(f"{title}: {good:g} of {pairs} pairs in order ({good / pairs:.3f}); worth it {firsts}")


def cases_of(syncl, folder):
    rows = [row for row in judged() if (folder / row["package"]).is_dir()]
    names = sorted({row["package"] for row in rows})
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        reports = dict(zip(names, pool.map(lambda name: report(syncl, folder / name), names)))
    trains = {name: has_training(report) for name, report in reports.items()}
    for row in rows:
        rank, one = found(row, reports[row["package"]])
        if one:
            loop = next((loop for loop in reports[row["package"]]["loops"] if loop["id"] == one["loop"]), None)
            yield row | {"rank": rank, "rows": rows_of(one, loop, trains[row["package"]]), "gain": gain(one, loop), "also": len(one["also_in"]), "sent": is_step(one) and bool({"sends", "indexes", "makes"} & set(does_of(one)))}


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if len(words) != 2:
        sys.exit(__doc__)
    cases = list(cases_of(str(pathlib.Path(words[0]).resolve()), pathlib.Path(words[1])))
    counts = counted(cases)
    if "--rows" in sys.argv:
        for row, part in PARTS.items():
            print(f"WORTH({row}, {counts[row][0]:g}, {counts[row][1]}, {part:g})")
        return
    judge(f"as it stands, {len(cases)} findings", cases, lambda case: -case["rank"])
    others = {draw: counted(case for case in cases if case["draw"] != draw) for draw in {case["draw"] for case in cases}}
    judge("by rates of the other draws", cases, lambda case: weight(case, others[case["draw"]]))


if __name__ == "__main__":
    main()
