#!/usr/bin/env python3
"""Does syncl say of every measured statement what the GPU did? Reads rules/torch-waits-h200.tsv and measured-h200.tsv.

A statement that waited must be reported and one that did not must be silent, each alone in a loop after the prelude,
with its set-up before it; the reads that syncl counts must be those that the debug mode counted. What is known to
differ stands in known.tsv with its reason (kind: missed, spurious or reads) and fails once it is mended; a row with
`*` as its statement holds for the reads of a whole group.
Arguments: words; only statements that hold one of them are judged, and all of what is said of them is printed.
"""
import ast
import collections
import sys

import pages
import said

Fact = collections.namedtuple("Fact", "group set_up statement waits reads")
KNOWN = "tests/truth/known.tsv"


def facts():
    for path, columns in (("rules/torch-waits-h200.tsv", (0, None, 1, 2, 3)), ("rules/measured-h200.tsv", (0, 1, 2, 3, 4))):
        for line in pages.read(path).rstrip("\n").split("\n")[1:]:
            cells = line.split("\t")
            group, set_up, statement, waits, reads = ("" if c is None else cells[c] for c in columns)
            if waits != "raises":
                yield Fact(group, set_up, statement, waits.startswith("yes"), int(reads or 0))


MODULES = ("torchvision", "pickle", "pprint", "csv", "json", "random", "gc")  # the table's statements take them as imported


def source(fact):
    """The set-up a statement a line; of the statement the value is kept, as most code does."""
    named = pages.names_in(ast.parse(fact.statement))
    set_up = [f"import {name}" for name in MODULES if name in named]
    set_up += [line for node in ast.parse(fact.set_up).body for line in ast.unparse(node).split("\n")]
    body = ast.parse(fact.statement).body
    alone = len(body) == 1 and isinstance(body[0], ast.Expr)
    return set_up, ["v = " + fact.statement if alone else fact.statement]


def verdict(fact, lines):
    """'' where syncl and the GPU agree, else missed, spurious or reads. A wait inside of backward() is told at its cause."""
    line, before = lines[-1], lines[:-1]
    reported = bool(line.rules) or (".backward()" in fact.statement and any(l.backward for l in before))
    if reported != fact.waits:
        return "missed" if fact.waits else "spurious"
    if not fact.waits or not fact.reads or not line.rules or line.reads is None:
        return ""
    backward = line.backward if ".backward()" in fact.statement else 0
    return "" if line.reads + backward == fact.reads else "reads"


def read_known():
    rows = [line.split("\t") for line in pages.read(KNOWN).rstrip("\n").split("\n")[1:]]
    return {(set_up, statement): (kind, why) for kind, set_up, statement, why in rows}


def judge(fact, lines, known, counts):
    """Prints what is neither agreed nor known. Returns whether all is well."""
    found, (expected, _) = verdict(fact, lines), known.get((fact.set_up, fact.statement), ("", ""))
    if found == "reads" and (fact.group, "*") in known:
        expected = "reads"
    counts[found or "agree"] += 1
    if found == expected:
        return True
    line = lines[-1]
    what = f"{fact.set_up} ;; {fact.statement}" if fact.set_up else fact.statement
    measured = f"measured {fact.reads} reads" if fact.waits else "measured quiet"
    print(f"{fact.group}: {what}\n    {found or 'mended, remove it from ' + KNOWN}: {measured}, syncl says "
          f"{', '.join(line.rules) or 'nothing'}, reads {line.reads}, in backward {line.backward}")
    return False


def main():
    chosen = [f for f in facts() if len(sys.argv) < 2 or any(word in f.statement for word in sys.argv[1:])]
    unique = {(f.set_up, f.statement): f for f in chosen}
    results = said.run({key: source(fact) for key, fact in unique.items()})
    known, counts, groups = read_known(), collections.Counter(), collections.defaultdict(list)
    for key, fact in unique.items():
        groups[fact.group].append(judge(fact, results[key], known, counts))
        if len(sys.argv) > 1:
            print(fact.statement, "->", vars(results[key][-1]))
    failed = sum(not all(good) for good in groups.values())
    print(f"note: {len(unique)} measured statements: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    print(f"[  PASSED  ] {len(groups) - failed} test(s).")
    if failed:
        print(f"[  FAILED  ] {failed} test(s).")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
