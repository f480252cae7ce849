#!/usr/bin/env python3
"""Does `need` say "avoidable" of what was removed without loss?

usage: removed.py SYNCL [--packages FOLDER] [--rows] > TABLE

A fix is a change after which a wait is gone and what is trained is the same. Counted are
  changes   calib/validate/loops: each change of a loop, measured on a GPU with and without it; some decide what runs next (`needed`)
  remedies  the examples of rules/*.md: what stands before the edit (tests/truth/remedies.tsv ran them on a GPU)
  judged    corpus/count/first-ten-N.tsv: findings that are true and worth acting on to every reader; needs --packages, see first_ten.py
Of each the findings on the lines that change: a fix is avoidable when one of them is told so, else it is what most are told; `none` has
no finding. --rows prints the fixes, one a line.
"""
import collections, json, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "calib/validate"), str(ROOT / "corpus"), str(ROOT / "tests/truth")]


def findings(syncl, *paths, cwd=None):
    out = subprocess.run([syncl, "--output-format=json", "--no-cache", "--isolated", "--min-confidence=possible", *map(str, paths)],
                         capture_output=True, text=True, cwd=cwd).stdout
    return json.loads(out)["findings"]


def told(found):
    needs = collections.Counter(one["need"] for one in found)
    return "avoidable" if needs["avoidable"] else needs.most_common(1)[0][0] if needs else "none"


def of_text(syncl, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "train.py"
        path.write_text(text)
        return findings(syncl, "train.py", cwd=folder)


def key(one):
    return one["line"], one["rule"], one["column"]


def changes_of_loops(syncl):
    import changes
    for name in changes.names():
        text = changes.read(name)
        without = {key(one) for one in of_text(syncl, changes.make(text, None))}
        for change in changes.changes(text):
            found = [one for one in of_text(syncl, changes.make(text, change)) if key(one) not in without]
            yield "changes", f"{name} {change}", found


def examples_of_remedies(syncl):
    prelude = (ROOT / "rules/prelude.py").read_text()
    for page in sorted((ROOT / "rules").glob("*.md")):
        text = page.read_text()
        for pair in re.finditer(r"^```python before(?: unsafe)?\n(.*?)^```\n(.*?)^```python after(?: unsafe)?\n(.*?)^```", text, re.M | re.S):
            texts = [prelude + "\nfor step in range(steps):\n" + "".join("    " + line + "\n" for line in body.splitlines())
                     for body in (pair[1], pair[3])]
            found = [of_text(syncl, each) for each in texts]
            after = collections.Counter((one["rule"], one["message"]) for one in found[1])
            gone = []
            for one in found[0]:
                same = one["rule"], one["message"]
                after[same] -= 1
                if after[same] < 0:
                    gone.append(one)
            yield "remedies", f"{page.name}:{text[:pair.start()].count(chr(10)) + 1}", gone


def judged(syncl, folder):
    for table in sorted((ROOT / "corpus/count").glob("first-ten-*.tsv")):
        header, *lines = [line.split("\t") for line in table.read_text().splitlines()]
        reports = {}
        for cells in lines:
            row = dict(zip(header, cells))
            if {row[one] for one in header if one.startswith("reader")} != {"true"} or \
                    {row[one] for one in header if one.startswith("worth")} != {"yes"}:
                continue
            package = row["package"].lower()
            if package not in reports:
                reports[package] = findings(syncl, folder / package)
            line, _, column = row["line"].partition(":")
            found = [one for one in reports[package] if one["file"].endswith(row["file"]) and one["line"] == int(line)
                     and one["rule"] == row["rule"] and (not column or one["column"] == int(column))]
            yield "judged", f'{row["package"]} {row["file"]}:{row["line"]} {row["rule"]}', found


def main():
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    syncl = str(pathlib.Path(arguments[0]).resolve())
    fixes = [*changes_of_loops(syncl), *examples_of_remedies(syncl)]
    if "--packages" in arguments:
        fixes += judged(syncl, pathlib.Path(arguments[arguments.index("--packages") + 1]))
    counts = collections.defaultdict(collections.Counter)
    for source, name, found in fixes:
        counts[source][told(found)] += 1
        if "--rows" in arguments:
            print(source, told(found), name, ",".join(sorted({one["rule"] for one in found})), sep="\t")
    words = ("avoidable", "unknown", "needed", "none")
    print("source", "fixes", *words, sep="\t")
    for source in counts:
        print(source, sum(counts[source].values()), *(counts[source][word] for word in words), sep="\t")
    print("all", sum(map(lambda one: sum(one.values()), counts.values())), *(sum(one[word] for one in counts.values()) for word in words), sep="\t")


main()
