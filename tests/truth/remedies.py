"""The examples of the remedies on the rule pages: what stands before, what it becomes, and what must stay as it is.

    python3 tests/truth/remedies.py SYNCL     # marks on the pages which remedies no row of remedies.tsv shows yet

A block is a body of a training loop after rules/prelude.py. `python before` is followed by its `python after`; `unsafe` behind
the word: with --unsafe-fixes; `alone`: the body stands in no loop; `python after waits`: something else there waits still. `python left` is not changed by either."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

from pages import ROOT, Block, digest, pages, read

Example = collections.namedtuple("Example", "page line unsafe alone before after waits", defaults=[False])  # after None: left


def fences(page):
    """(line, info, body) of the blocks under `## Remedies`."""
    within, info, start, lines = False, None, 0, []
    for number, line in enumerate(read(page).split("\n"), 1):
        if info is None and line.startswith("## "):
            within = line.strip() == "## Remedies"
        elif info is None and line.startswith("```"):
            info, start, lines = line[3:].strip(), number + 1, []
        elif info is not None and line.startswith("```"):
            if within:
                yield start, info, "\n".join(lines) + "\n"
            info = None
        elif info is not None:
            lines.append(line)


def examples():
    for page in pages():
        before = None
        for line, info, body in fences(page):
            words = info.split()
            if words[1:2] == ["before"]:
                before = (line, "unsafe" in words, "alone" in words, body)
            elif words[1:2] == ["after"]:
                yield Example(page, *before, body, "waits" in words)
                before = None
            elif words[1:2] == ["left"]:
                yield Example(page, line, True, "alone" in words, body, None)
        assert before is None, f"{page}: a before without its after"


def body_of(example, body):
    return body if example.alone else "for step in range(steps):\n" + textwrap.indent(body, "    ")


def digest_of(example):
    """Of both sides and what they take from the prelude. Comments, and where a call's arguments are broken into lines, may change without a
    new run. Whether there is a GPU is True where examples run, so a side that asks has run where the same side said `True`."""
    text = (example.before + "pass\n" + example.after).replace("torch.cuda.is_available()", "True")
    lines = re.sub(r",\n +", ", ", text).split("\n")
    return digest(Block(example.page, "wait", example.line, "Remedies", lines, ""), read("rules/prelude.py"))


Row = collections.namedtuple("Row", "page line digest safe differs waits_before waits_after held_before_us held_after_us")


def rows():
    """What a GPU said: (page, digest) -> Row."""
    lines = read("tests/truth/remedies.tsv").splitlines()
    return {(row.page, row.digest): row for row in (Row(*line.split("\t")) for line in lines[1:])}


def is_shown(row):
    """The sides agree, but where the remedy is unsafe, and the second waits less often, or for less than half as long."""
    if row.differs.startswith("FAILED") or (row.safe == "safe" and row.differs != "-"):
        return False
    fewer = int(row.waits_after) < int(row.waits_before)
    return fewer or (row.waits_before == row.waits_after == "0" and 2 * int(row.held_after_us) < int(row.held_before_us))


def marks_of(page):
    """The names of its remedies, each with whether it is marked as unproven."""
    names = {}
    for _, info, body in fences(page):
        if info.split()[1:2] == ["remedy"]:
            names.update((name, bool(mark)) for mark, name in re.findall(r"^(@unproven\n)?def (\w+)\(", body, re.M))
    return names


def marked():
    return {(page, name): mark for page in pages() for name, mark in marks_of(page).items()}


def used_by(syncl, example):
    """The remedies that an example shows, in all rounds."""
    options, names = ["--no-cache", "--isolated", "--exit-zero", "--min-confidence=possible", "train.py"], set()
    with tempfile.TemporaryDirectory() as folder:
        path, before = pathlib.Path(folder, "train.py"), ""
        path.write_text(program(example, example.before))
        while path.read_text() != before:
            before = path.read_text()
            told = subprocess.run([syncl, "--output-format=json", *options], cwd=folder, capture_output=True, check=True).stdout
            names |= {f["fix"]["remedy"] for f in json.loads(told)["findings"] if f["fix"]}
            subprocess.run([syncl, "--fix-only", "--unsafe-fixes", "--all-fixes", *options], cwd=folder, capture_output=True, check=True)
    return names


def shown_and_tried(syncl):
    """(page, remedy): those that an example shows that a GPU ran well, and those that any example shows."""
    known, shown, tried = rows(), set(), set()
    for example in examples():
        if example.after is not None:
            names = {(example.page, name) for name in used_by(syncl, example)}
            row = known.get((example.page, digest_of(example)))
            tried |= names
            quiet = row and (row.waits_after == "0" or example.waits or leaves_some(example.page, {name for _, name in names}))
            shown |= names if quiet and is_shown(row) else set()
    return shown, tried


def leaves_some(page, names):
    """One of the remedies says where the value is read after all: less often, behind the loop, once before it."""
    text = "\n".join(body for _, info, body in fences(page) if info.split()[1:2] == ["remedy"])
    defs = {re.match(r"(\w+)", part)[1]: part for part in text.split("\ndef ")[1:]}
    return any(re.search(r"with (reads|behind):|once\(|^        if ", defs[name], re.M) for name in names)


def mark(syncl):
    """Writes @unproven above the remedies that no GPU has shown, and takes it from those that one has."""
    shown, _ = shown_and_tried(syncl)
    for (page, name), unproven in marked().items():
        path, text = os.path.join(ROOT, page), read(page)
        if unproven == ((page, name) in shown):
            print(page, name, "shown" if unproven else "not shown", sep="\t")
            old, new = (f"@unproven\ndef {name}(", f"def {name}(") if unproven else (f"\ndef {name}(", f"\n@unproven\ndef {name}(")
            with open(path, "w") as file:
                file.write(text.replace(old, new))


def program(example, body):
    """What the analyser reads, and what is run."""
    return read("rules/prelude.py") + body_of(example, body)


if __name__ == "__main__":
    mark(os.path.abspath(sys.argv[1]))
