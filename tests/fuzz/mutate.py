#!/usr/bin/env python3
"""Fuzzing by statement: real files, with statements deleted, duplicated and swapped (also between blocks and between
files), are analysed twice. Holds that the exit status is 0 or 1, nothing is said on standard error, both runs write the
same bytes, findings are in order and every place lies within its file. A batch that fails is kept in
build/fuzz/found/statements, and named. README.md here is the ledger.

  tests/fuzz/mutate.py [--seconds=60] [--seed=1] [--program=build/syncl] FOLDER..."""
import argparse, ast, pathlib, random, re, shutil, sys, tempfile, time, warnings

from checks import Runs, Wrong, check_report, same

BATCH, CHANGES, LARGEST = 8, 12, 1 << 17
FOUND = pathlib.Path(__file__).resolve().parents[2] / "build/fuzz/found/statements"


def sources(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.py")):
            if path.stat().st_size <= LARGEST:
                yield path.read_text(errors="surrogateescape")


def first_line(statement):
    return min([statement.lineno] + [d.lineno for d in getattr(statement, "decorator_list", [])]) - 1


def statements(text):
    """(first line, line after the last) of each statement that has its lines to itself; none where it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.encode(errors="surrogateescape"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    spans = {(first_line(node), node.end_lineno) for node in ast.walk(tree) if isinstance(node, ast.stmt)}
    return sorted(span for span in spans if span[1] > span[0])


def indent_of(lines):
    return re.match(r"[ \t]*", lines[0]).group() if lines else ""


def placed(lines, indent):
    """The statement at another depth; what is indented less than its first line (a string) stays."""
    old = indent_of(lines)
    return [indent + line[len(old) :] if line.startswith(old) else line for line in lines]


def change(chance, lines, spans, donor, donor_spans):
    start, end = chance.choice(spans)
    here, indent = lines[start:end], indent_of(lines[start:end])
    kind = chance.randrange(6)
    if kind == 0:  # the block stays one
        return lines[:start] + [indent + "pass\n"] + lines[end:]
    if kind == 1:
        return lines[:start] + lines[end:]
    if kind == 2:
        return lines[:end] + here * chance.choice((1, 1, 1, 2, 20)) + lines[end:]
    if kind == 3 and donor_spans:
        first, last = chance.choice(donor_spans)
        return lines[:start] + placed(donor[first:last], indent) + lines[start:]
    other_start, other_end = chance.choice(spans)
    if other_start < start:
        start, end, other_start, other_end = other_start, other_end, start, end
    if other_start < end:  # one within the other: the inner one takes its place
        return lines[:start] + placed(lines[other_start:other_end], indent_of(lines[start:end])) + lines[end:]
    first, second = lines[start:end], lines[other_start:other_end]
    return (lines[:start] + placed(second, indent_of(first)) + lines[end:other_start]
            + placed(first, indent_of(second)) + lines[other_end:])


def mutated(chance, texts):
    text, donor = chance.choice(texts), chance.choice(texts)
    donor_lines, donor_spans = donor.splitlines(keepends=True), statements(donor)
    for _ in range(chance.randint(1, CHANGES)):
        spans = statements(text)
        lines = text.splitlines(keepends=True)
        spans = [span for span in spans if span[1] <= len(lines)]
        if not spans or len(text) > LARGEST:
            break
        text = "".join(change(chance, lines, spans, donor_lines, donor_spans))
    return text


def wrong(runs, folder):
    """What a run on the folder breaks, or None."""
    try:
        one = runs.report(folder, "--no-cache", watched=True)
        same("again", one, runs.report(folder, "--no-cache", watched=True))
        check_report(runs, one, folder)
    except (Wrong, ValueError, LookupError) as broken:
        return f"{type(broken).__name__}: {broken}"
    return None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--program", default="build/syncl")
    arguments.add_argument("folders", nargs="+")
    given = arguments.parse_args()
    chance, texts = random.Random(given.seed), list(sources(given.folders))
    runs, started, files, broke = Runs(given.program, given.program, 300), time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as top:
        while time.monotonic() - started < given.seconds:
            folder = pathlib.Path(top, "batch")
            folder.mkdir()
            for i in range(BATCH):
                text = mutated(chance, texts)
                (folder / f"m{i}.py").write_text(text, errors="surrogateescape")
            why = wrong(runs, folder)
            if why:
                broke += 1
                print(f"{given.seed}-{files}: {why}", flush=True)
                shutil.copytree(folder, FOUND / f"{given.seed}-{files}", dirs_exist_ok=True)
                (FOUND / f"{given.seed}-{files}/why").write_text(why)
            files += BATCH
            shutil.rmtree(folder)
    print(f"mutate: {files} files of {len(texts)} analysed twice in {time.monotonic() - started:.0f} s, "
          f"{runs.cpu_seconds() / 3600:.4f} CPU-hours, seed {given.seed}: {broke} broke something")
    sys.exit(bool(broke))


main()
