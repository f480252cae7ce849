#!/usr/bin/env python3
"""What syncl says about projects against what their runs on a GPU measured (run_projects.py).

    python3 tests/truth/check_projects.py SYNCL FOLDER RECORD.tsv.gz [--only NAME ...] [--list] [--rows OUT.tsv]

FOLDER holds the projects; each is given to syncl whole. Told is, by confidence:
    of the places that waited again and again: the surest finding that meets one (other: told as no wait, e.g. as a timer's; none).
    A place is an expression that waited twice or more; its line ran twice or more, or a comprehension holds it, and a loop of
    the project or a library that calls back stands above it. What waits while something is made or moved at the start, and what a
    library does within one call (`Trainer.train`), is no place.
    of the findings (waits) on lines that ran: how many met a wait, there or in what is called there, how many never; how many
    stand on lines that did not run.
"""
import argparse
import ast
import collections
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile

from check_real import LEVELS, SETUP, Places

FOUND = (*LEVELS, "other", "none")
VERDICTS = ("waited", "backward", "inside", "never", "not run")


class Record:
    """One project: its waits, how often its lines ran, the digests of its files."""
    def __init__(self):
        self.waits, self.ran, self.digests, self.error, self.below = collections.defaultdict(list), collections.defaultdict(dict), {}, "", collections.defaultdict(set)


def read_record(path):
    records = collections.defaultdict(Record)
    for row in (gzip.open if path.endswith(".gz") else open)(path, "rt"):
        kind, project, *rest = row.rstrip("\n").split("\t")
        record = records[project]
        if kind == "P":
            record.error = "" if rest[1] == "-" else rest[1]
        elif kind == "S":
            record.digests[rest[0]] = rest[1]
            record.ran[rest[0]] = {int(line): int(count) for line, count in (part.split(":") for part in rest[2].split())}
        elif rest[0] != "?":
            stack = rest[8].split() if len(rest) > 8 else []
            record.waits[rest[0]].append((tuple(map(int, rest[1:5])), rest[5], int(rest[6]), rest[7], stack))
            for frame in stack:
                name, line = frame.rstrip("*").rsplit(":", 1)
                record.below[name].add(int(line))
    return records


class Source:
    """A file's statements and comprehensions, for the places of its waits."""
    def __init__(self, path):
        text = open(path, "rb").read()
        self.lines, nodes = text.decode(errors="replace").splitlines(), list(ast.walk(ast.parse(text)))
        self.statements = [n for n in nodes if isinstance(n, ast.stmt)]
        self.loops = [n for n in nodes if isinstance(n, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))]

    def header(self, span):
        """A wait that stands at a compound statement is at its header."""
        for node in self.statements:
            if (node.lineno, node.col_offset) == span[:2] and isinstance(getattr(node, "body", None), list):
                return (*span[:2], node.body[0].lineno, node.body[0].col_offset)
        return span

    def repeats(self, span, ran):
        """Did the expression run more than once, by its lines or by the comprehension that holds it?"""
        if any((n.lineno, n.col_offset) <= span[:2] and span[2:] <= (n.end_lineno, n.end_col_offset) for n in self.loops):
            return True
        holds = [n for n in self.statements if n.lineno <= span[0] <= n.end_lineno]
        inner = min(holds, key=lambda n: n.end_lineno - n.lineno, default=None)
        last = inner.body[0].lineno - 1 if inner and isinstance(getattr(inner, "body", None), list) else inner.end_lineno if inner else span[0]
        return max((ran.get(line, 0) for line in range(inner.lineno if inner else span[0], last + 1)), default=0) >= 2


def is_repeated(stack, places):
    """Stands a loop of the project above it, or a library that calls back, before anything is made or moved?"""
    for i, frame in enumerate(stack):
        name, line = frame.rstrip("*").rsplit(":", 1)
        function, loop = places.of(name, int(line))
        if function in SETUP:
            return False
        if loop or i and frame.endswith("*"):
            return True
    return False


def findings_of(syncl, folder, project):
    """All findings of the project, file below it -> list."""
    with tempfile.NamedTemporaryFile() as out:
        command = [syncl, "--isolated", "--no-cache", "--exit-zero", "--min-confidence=possible", "--output-format=json", "-o", out.name, project]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = collections.defaultdict(list)
        for finding in json.load(open(out.name))["findings"]:
            finding["span"] = (finding["line"], finding["column"] - 1, finding["end_line"], finding["end_column"] - 1)
            found[os.path.relpath(finding["file"], project)].append(finding)
        return found


def overlap(a, b):
    return a[:2] < b[2:] and b[:2] < a[2:]


def compare(project, name, source, findings, record, places):
    """Rows of one file: (what, project, file, line, found or confidence, rule, waits, verdict or library, source)."""
    spans, ran = collections.defaultdict(lambda: [0, "-"]), record.ran[name]
    waits = [(source.header(span), *rest) for span, *rest in record.waits[name]]
    for span, kind, count, library, stack in waits:
        if kind.endswith("backward"):
            continue
        if is_repeated(stack, places) and source.repeats(span, ran):
            spans[span][0] += count
            spans[span][1] = library if library != "-" else spans[span][1]
    for span, (count, library) in sorted(spans.items()):
        if count >= 2:
            met = [f for f in findings if overlap(f["span"], span)]
            best = min((f for f in met if f["kind"] == "wait"), key=lambda f: LEVELS.index(f["confidence"]), default=None)
            found = best["confidence"] if best else "other" if met else "none"
            rule = best["rule"] if best else met[0]["rule"] if met else "-"
            yield "wait", project, name, span[0], found, rule, count, library, source.lines[span[0] - 1].strip()
    for finding in findings:
        if finding["kind"] != "wait":
            continue
        lines = range(finding["line"], finding["end_line"] + 1)
        met = [w for w in waits if overlap(finding["span"], w[0])]
        verdict = ("waited" if any(not w[1].endswith("backward") for w in met) else "backward" if met else "not run" if not any(line in ran for line in lines)
                   else "inside" if record.below[name] & set(lines) else "never")
        yield ("finding", project, name, finding["line"], finding["confidence"], finding["rule"], sum(w[2] for w in met), verdict,
               source.lines[finding["line"] - 1].strip())


def rows_of(syncl, folder, project, record):
    """All rows of a project, and the files that differ from those that ran."""
    found, places, rows, other = findings_of(syncl, folder, project), Places([os.path.join(folder, project)]), [], []
    for name in sorted({*record.digests, *found}):
        path = os.path.join(folder, project, name)
        digest = hashlib.sha256(open(path, "rb").read()).hexdigest()[:16] if os.path.exists(path) else ""
        if record.digests.get(name, digest) != digest or not digest:
            other.append(f"{project}/{name}")
        else:
            rows += compare(project, name, Source(path), found[name], record, places)
    return rows, other


def table(rows, projects):
    print("project", "places", *FOUND, *(f"{level}: {what}" for level in LEVELS for what in ("met", "never", "not run")), sep="\t")
    for project in (*projects, "all"):
        mine = collections.Counter((r[0], r[4], r[7] if r[0] == "finding" else "") for r in rows if project in (r[1], "all"))
        found = [mine["wait", level, ""] for level in FOUND]
        said = []
        for level in LEVELS:
            by = {verdict: mine["finding", level, verdict] for verdict in VERDICTS}
            said += [by["waited"] + by["backward"] + by["inside"], by["never"], by["not run"]]
        print(project, sum(found), *found, *said, sep="\t")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("syncl")
    parser.add_argument("folder")
    parser.add_argument("record")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--list", action="store_true", help="each place that is missed and each finding that never waited")
    parser.add_argument("--rows", help="every place and finding, into this file")
    options = parser.parse_args()
    records, rows, other = read_record(options.record), [], []
    projects = sorted(p for p in records if (not options.only or p in options.only) and os.path.isdir(os.path.join(options.folder, p)))
    for project in projects:
        mine, differ = rows_of(os.path.abspath(options.syncl), options.folder, project, records[project])
        rows += mine
        other += differ
    table(rows, projects)
    for what, wanted in (("wait", lambda r: r[4] in ("possible", "other", "none")), ("finding", lambda r: r[7] == "never")):
        for row in rows if options.list else ():
            if row[0] == what and wanted(row):
                print(*row, sep="\t")
    if options.rows:
        with open(options.rows, "w") as file:
            for row in rows:
                print(*row, sep="\t", file=file)
    failed = [p for p in projects if records[p].error]
    print(f"{len(projects)} projects, {len(failed)} of them failed or were late", *failed, file=sys.stderr)
    if other:
        print("left out, not what ran:", *other, file=sys.stderr)


if __name__ == "__main__":
    main()
