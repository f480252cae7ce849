#!/usr/bin/env python3
"""What --fix does to other people's files, and whether all of it is as it says.

    python3 corpus/fixes.py SYNCL FOLDER... [--files N] [--seed S] [--unsafe] [--all] [--rules] [--keep OUT.diff]

Each FOLDER holds a package; all are copied into an empty folder of their own, with a pyproject.toml that marks its top. Of N files drawn
from those that import torch, --fix-only changes the copies, package by package. Then, of every file: ast.parse takes it; it differs from
what it was where a fix of the report before is listed, and nowhere else; a second run changes nothing; and the findings of the package
fell by those that were mended, while none appeared (by rule, text and number; a sum that is read once after its loop is told apart).
Prints a table and every complaint; exit 1 where there is one. --unsafe makes the unsafe ones too, --all those too that gain nothing. --rules:
instead, how many findings of each rule have a safe fix that gains something, a safe one that does not, the same of unsafe ones, none."""
import argparse
import ast
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TORCH = re.compile(rb"^\s*(import torch|from torch)\b", re.M)
OPTIONS = ["--isolated", "--no-cache", "--exit-zero", "--min-confidence=possible"]


def run(syncl, top, *arguments):
    ran = subprocess.run([syncl, *OPTIONS, *arguments], cwd=top, capture_output=True)
    if ran.returncode:
        sys.exit(f"fixes.py: {' '.join(arguments[:4])} ...: {ran.stderr.decode(errors='replace')}")
    return ran.stdout.decode(errors="replace")


def findings(syncl, top, paths):
    return [f for f in map(json.loads, run(syncl, top, "--output-format=json-lines", *paths).splitlines()) if "broken" not in f]


def drawn(folders, count, seed):
    names = [(str(folder), str(path.relative_to(folder))) for folder in folders for path in sorted(folder.rglob("*.py"))
             if not path.is_symlink() and TORCH.search(path.read_bytes())]
    return sorted(random.Random(seed).sample(names, min(count, len(names))))


def parses(source):
    try:
        return ast.parse(source) is not None
    except (SyntaxError, ValueError):
        return False


def listed_lines(found, unsafe):
    """By file: the lines that some fix of the report changes."""
    lines = collections.defaultdict(set)
    for finding in found:
        fix = finding["fix"]
        for edit in fix["edits"] if fix and (unsafe or fix["applicability"] == "safe") else ():
            lines[edit["file"]].update(range(edit["start"]["line"], edit["end"]["line"] + 1))
    return lines


def changed_lines(before, after):
    """Each as the lines that it may be listed for: what is put between two lines, for either."""
    import difflib
    lines = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for tag, start, end, _, _ in lines.get_opcodes():
        if tag == "insert":
            yield {start, start + 1}
        elif tag != "equal":
            yield from ({line} for line in range(start + 1, end + 1))


def counted(found):
    return collections.Counter((f["file"], f["rule"]) for f in found)


def check(syncl, top, paths, extra, table, complain):
    before = {path: (top / path).read_bytes() for path in paths}
    found = findings(syncl, top, paths)
    said = subprocess.run([syncl, *OPTIONS, "--fix-only", *extra, *paths], cwd=top, capture_output=True)
    if said.returncode:
        complain(f"--fix-only: {said.stderr.decode(errors='replace')}")
        return
    mended = int(re.search(r"mended (\d+) finding", said.stderr.decode()).group(1))
    after = {path: (top / path).read_bytes() for path in paths}
    allowed = listed_lines(found, "--unsafe-fixes" in extra)
    table["files"] += len(paths)
    table["findings"] += len(found)
    table["with a safe fix"] += sum(bool(f["fix"]) and f["fix"]["applicability"] == "safe" for f in found)
    table["with an unsafe fix"] += sum(bool(f["fix"]) and f["fix"]["applicability"] == "unsafe" for f in found)
    table["with one that gains nothing"] += sum(bool(f["fix"]) and not f["fix"]["gains"] for f in found)
    table["mended"] += mended
    for path in paths:
        if before[path] == after[path]:
            continue
        table["files changed"] += 1
        if parses(before[path]) and not parses(after[path]):
            complain(f"{path}: does not parse any more")
        changed = changed_lines(before[path].decode(errors="replace"), after[path].decode(errors="replace"))
        for lines in changed:
            if not lines & allowed[path]:
                complain(f"{path}:{max(lines)}: changed without a fix")
    left = findings(syncl, top, paths)
    appeared = counted(left) - counted(found)
    table["read after their loop instead"] += sum(appeared.values())
    gone = sum((counted(found) - counted(left)).values())
    net = len(found) - len(left)
    table["fewer findings"] += net
    if gone < net or net > mended:
        complain(f"{mended} mended, {net} fewer findings")
    run(syncl, top, "--fix-only", *extra, *paths)
    for path in paths:
        if (top / path).read_bytes() != after[path]:
            complain(f"{path}: a second run changes it")


def rules(found):
    table = collections.defaultdict(collections.Counter)
    for finding in found:
        fix = finding["fix"]
        table[finding["rule"]][fix["applicability"] + ("" if fix["gains"] else ", idle") if fix else "none"] += 1
    columns = ("safe", "safe, idle", "unsafe", "unsafe, idle", "none")
    print("rule", *columns, sep="\t")
    for rule, row in sorted(table.items(), key=lambda item: -sum(item[1].values())):
        print(rule, *(row[column] for column in columns), sep="\t")
    total = sum(table.values(), collections.Counter())
    print("all", *(total[column] for column in columns), sep="\t")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("syncl", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unsafe", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    table, complaints, all_found, diffs = collections.Counter(), [], [], []
    chosen = drawn(options.folders, options.files, options.seed)
    extra = ["--unsafe-fixes"] * options.unsafe + ["--all-fixes"] * options.all
    for folder in options.folders:
        paths = [path for name, path in chosen if name == str(folder)]
        if not paths:
            continue
        with tempfile.TemporaryDirectory() as kept:
            top = pathlib.Path(kept) / folder.name
            shutil.copytree(folder, top, ignore=shutil.ignore_patterns("*.so", "*.pyc"))
            (top / "pyproject.toml").write_text("")
            if options.rules:
                all_found += findings(options.syncl, top, paths)
                continue
            if options.keep:
                diffs.append(run(options.syncl, top, "--diff", *extra, *paths))
            print(folder.name, len(paths), file=sys.stderr, flush=True)
            check(options.syncl, top, paths, extra, table, lambda what, name=folder.name: complaints.append(f"{name}: {what}"))
    if options.keep:
        options.keep.write_text("".join(diffs))
    if options.rules:
        rules(all_found)
    for name, count in table.items():
        print(count, name, sep="\t")
    print(*complaints, sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
