#!/usr/bin/env python3
"""Fuzzing by statement: real files, with statements deleted, duplicated and swapped (also between blocks and between
files), are analysed twice. Holds that the exit status is 0 or 1, nothing is said on standard error, both runs write the
same bytes, findings are in order and every place lies within its file. A batch that fails is kept beside this file's
name for the regression case, and named. README.md here is the ledger.

  tests/fuzz/mutate.py [--seconds=60] [--seed=1] [--program=build/syncl] FOLDER..."""
import argparse, ast, json, pathlib, random, re, shutil, subprocess, sys, tempfile, time, warnings

BATCH, CHANGES, LARGEST = 8, 12, 1 << 17


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


def run(program, folder):
    words = [program, "--no-cache", "--isolated", "--min-confidence=possible", "--output-format=json", "."]
    return subprocess.run(words, cwd=folder, capture_output=True, timeout=300)


def place_of(finding):
    return finding["file"], finding["line"], finding["column"]


def in_order(above, below):
    """Errors first, then the dearest, then by place.
    One whose frequency is not known stands by an assumed price, which is not shown."""
    if (above["level"] == "error") != (below["level"] == "error"):
        return above["level"] == "error"
    prices = [(f["cost"]["low_us"], f["cost"]["high_us"]) for f in (above, below)]
    if (None, None) in prices:
        return True
    if sum(prices[0]) == sum(prices[1]):
        return place_of(above) <= place_of(below)
    return sum(prices[0]) > sum(prices[1])


def wrong(program, folder):
    """What a run on the folder breaks, or None."""
    try:
        one, two = run(program, folder), run(program, folder)
    except subprocess.TimeoutExpired:
        return "no end after 300 s"
    if one.returncode not in (0, 1) or one.stderr:
        return f"exit {one.returncode}: {one.stderr.decode(errors='replace')[:2000]}"
    if one.stdout != two.stdout or one.returncode != two.returncode:
        return "two runs differ"
    findings = json.loads(one.stdout)["findings"]
    if one.returncode and not findings:
        return "exit 1 without a finding"
    places = [place_of(f) for f in findings]
    for above, below in zip(findings, findings[1:]):
        if not in_order(above, below):
            return f"not in order: {place_of(above)}, {place_of(below)}"
    lines = {path.name: path.read_bytes().split(b"\n") for path in folder.iterdir()}
    ends = [(f["file"], f["end_line"], f["end_column"]) for f in findings]
    causes = [(why["file"], why["line"], 1) for f in findings for why in f["why"] if why["file"] in lines]
    for path, line, column in places + ends + causes:
        text = lines[path]
        if not (1 <= line <= len(text) and 1 <= column <= len(text[line - 1]) + 1):
            return f"outside of its file: {path}:{line}:{column}"
    return None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--program", default="build/syncl")
    arguments.add_argument("folders", nargs="+")
    given = arguments.parse_args()
    chance, texts = random.Random(given.seed), list(sources(given.folders))
    program, started, files = pathlib.Path(given.program).resolve(), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as top:
        while time.monotonic() - started < given.seconds:
            folder = pathlib.Path(top, "batch")
            folder.mkdir()
            for i in range(BATCH):
                text = mutated(chance, texts)
                (folder / f"m{i}.py").write_text(text, errors="surrogateescape")
            why = wrong(program, folder)
            if why:
                kept = tempfile.mkdtemp(prefix="mutate-")
                shutil.copytree(folder, kept, dirs_exist_ok=True)
                sys.exit(f"seed {given.seed}, file {files}: {why}\nkept in {kept}")
            files += BATCH
            shutil.rmtree(folder)
    print(f"mutate: {files} files of {len(texts)} analysed twice in {time.monotonic() - started:.0f} s, seed {given.seed}: no fault")


main()
