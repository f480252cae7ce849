#!/usr/bin/env python3
"""What syncl says about real libraries against what their runs on a GPU measured (run_real.py).

    python3 tests/truth/check_real.py SYNCL FOLDER... [--log tests/truth/real/waits.tsv.gz] [--rows OUT.tsv]

FOLDERS hold the packages (real/packages.txt; `pip download` of real/versions.txt, unpacked). A package is given to syncl
whole, as who checks a library does; files that differ from those that ran are left out, and counted. Told is:
    of the places that waited twice or more: the surest finding that meets them (certain, likely, possible, none); what only
    waits while something is made or moved (`__init__`, `to`, a script's top) is no place, as it is nothing that runs again and again
    of the findings (waits) on lines that ran twice or more: how many met a wait, there or in what is called there, how many never
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

HERE = os.path.dirname(os.path.abspath(__file__))
LEVELS = ("certain", "likely", "possible")
SCRIPTS = {"real", "real2", "real3"}  # what drives the packages is told apart from them
SETUP = {"__init__", "to", "cuda", "_apply", "load_state_dict"}


def read_log(path):
    """(waits: file -> [(line, end_line, kind, count, stack)], ran: file -> set of lines, digests: file -> beginning of its sha256)"""
    waits, ran, digests, below = collections.defaultdict(list), collections.defaultdict(set), {}, collections.defaultdict(set)
    names = []

    def named(place):
        return names[int(place)] if place.isdigit() else place
    for row in gzip.open(path, "rt"):
        kind, name, *rest = row.rstrip("\n").split("\t")
        if kind == "S":
            digests[name] = rest[0]
            names.append(name)
            for part in rest[1].split():
                first, _, last = part.partition("-")
                ran[name].update(range(int(first), int(last or first) + 1))
        elif kind == "W":
            line, _, end, _ = map(int, rest[:4])
            stack = [f"{named(f.rsplit(':', 1)[0])}:{f.rsplit(':', 1)[1]}" for f in rest[6].split()]
            waits[named(name)].append((line, end or line, rest[4], int(rest[5]), " ".join(stack)))
            for frame in stack:
                below[frame.rsplit(":", 1)[0]].add(int(frame.rsplit(":", 1)[1]))
    for name in [name for name in waits if name not in digests]:  # a library that was not recorded: its caller waits
        for wait in waits.pop(name):
            caller = next((f.rsplit(":", 1) for f in wait[4].split() if f.rsplit(":", 1)[0] in digests), None)
            if caller:
                waits[caller[0]].append((int(caller[1]), int(caller[1]), *wait[2:]))
    return waits, ran, digests, below


def parsed(path):
    """The file's tree; empty for what this Python cannot parse (torch_sim needs 3.12)."""
    try:
        return ast.parse(open(path).read())
    except SyntaxError as error:
        print(f"{path}: {error}: its functions and loops are not known", file=sys.stderr)
        return ast.Module([], [])


class Places:
    """Of a line of a file: its function, and whether a loop of that function holds it."""
    def __init__(self, folders):
        self.folders, self.files = folders, {}

    def of(self, name, line):
        if name not in self.files:
            path = next((p for p in (os.path.join(f, name) for f in self.folders) if os.path.exists(p)), None)
            tree = parsed(path) if path else ast.Module([], [])
            self.files[name] = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp))]
        holds = [n for n in self.files[name] if n.lineno <= line <= n.end_lineno]
        function = max((n for n in holds if isinstance(n, ast.FunctionDef)), key=lambda n: n.lineno, default=None)
        loop = any(not isinstance(n, ast.FunctionDef) and (not function or n.lineno >= function.lineno) for n in holds)
        return function.name if function else "", loop

    def is_setup(self, stack):
        """Is it made or moved there, before any loop, seen from the wait outward?"""
        for frame in stack.split():
            name, line = frame.rsplit(":", 1)
            function, loop = self.of(name, int(line))
            if function in SETUP or not function and not loop:
                return True
            if loop:
                return False
        return False


def report(syncl, folder, package, kept):
    """The findings of the whole package, file -> list; the JSON report stays in the folder `kept`."""
    out = os.path.join(kept, package + ".json")
    if not os.path.exists(out):
        command = [syncl, "--isolated", "--no-cache", "--exit-zero", "--min-confidence=possible", "--output-format=json", "-o", out, package]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = collections.defaultdict(list)
    for finding in json.load(open(out))["findings"]:
        if finding["kind"] == "wait":
            found[os.path.normpath(finding["file"])].append(finding)
    return found


def meets(finding, wait):
    return finding["line"] <= wait[1] and wait[0] <= finding["end_line"]


def compare(name, findings, waits, lines, below, places_of):
    """Rows of one file: (what, file, line, confidence or -, rule or -, waits, verdict)."""
    places = collections.defaultdict(int)
    for wait in waits:
        if not wait[2].endswith("backward") and not places_of.is_setup(wait[4]):
            places[wait[:2]] += wait[3]
    for place, count in sorted(places.items()):
        if count >= 2:
            met = [f for f in findings if meets(f, place)]
            best = min(met, key=lambda f: LEVELS.index(f["confidence"]), default=None)
            yield "wait", name, place[0], best["confidence"] if best else "none", best["rule"] if best else "-", count, ""
    for finding in findings:
        if any(line in lines for line in range(finding["line"], finding["end_line"] + 1)):
            met = [w for w in waits if meets(finding, w)]
            verdict = "waited" if any(not w[2].endswith("backward") for w in met) else "backward" if met else "inside" if below & set(range(finding["line"], finding["end_line"] + 1)) else "never"
            yield "finding", name, finding["line"], finding["confidence"], finding["rule"], sum(w[3] for w in met), verdict


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("syncl")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--log", default=os.path.join(HERE, "real", "waits.tsv.gz"))
    parser.add_argument("--rows", help="every place and finding, into this file")
    parser.add_argument("--reports", help="a folder of reports: what is there is not made again")
    options = parser.parse_args()
    kept = os.path.abspath(options.reports or tempfile.mkdtemp())
    os.makedirs(kept, exist_ok=True)
    waits, ran, digests, below = read_log(options.log)
    places = Places([*options.folders, HERE])
    packages, rows, other = collections.defaultdict(set), [], []
    for name in digests:
        packages[name.split("/")[0]].add(name)
    for package, names in sorted(packages.items()):
        folder = next((f for f in [*options.folders, HERE] if os.path.isdir(os.path.join(f, package))), None)
        if not folder:
            other += names
            continue
        found = report(os.path.abspath(options.syncl), folder, package, kept)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not os.path.exists(path) or hashlib.sha256(open(path, "rb").read()).hexdigest()[:16] != digests[name]:
                other.append(name)
                continue
            rows += compare(name, found[name], waits[name], ran[name], below[name], places)
    if options.rows:
        with open(options.rows, "w") as file:
            for row in rows:
                print(*row, sep="\t", file=file)
    told = collections.Counter((row[0], row[1].split("/")[0], row[3], row[6]) for row in rows)
    print("package", "waited", *LEVELS, "none", *(f"{level}: {what}" for level in LEVELS for what in ("waited", "never")), sep="\t")
    for group in [*sorted(packages), None]:
        def count(what, level, verdicts=("",)):
            return sum(n for (w, p, c, v), n in told.items() if w == what and c == level and v in verdicts and (p == group or group is None and p not in SCRIPTS))
        found = [count("wait", level) for level in (*LEVELS, "none")]
        said = [n for level in LEVELS for n in (count("finding", level, ("waited", "backward", "inside")), count("finding", level, ("never",)))]
        if any(found) or any(said):
            print(group or "all packages", sum(found), *found, *said, sep="\t")
    if other:
        print(f"left out: {len(other)} files that are not there or not those that ran", file=sys.stderr)


if __name__ == "__main__":
    main()
