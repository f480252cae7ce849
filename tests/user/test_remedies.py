#!/usr/bin/env python3
"""The remedies of the rule pages: each example before becomes the example after, and no other line changes."""
import sys
from bench import *

sys.path.insert(0, str(ROOT / "tests" / "truth"))
import remedies


def fixed(text, *options):
    write("train.py", text)
    syncl("--fix-only", "--no-cache", "--isolated", "--min-confidence=possible", *options, "train.py", status=0)
    return pathlib.Path("train.py").read_text()


def checked(example):
    """What is wrong with an example, behind the prelude."""
    start = len(remedies.read("rules/prelude.py"))
    before = remedies.program(example, example.before)
    after = remedies.program(example, example.after or example.before)
    options = ["--all-fixes"] + (["--unsafe-fixes"] if example.unsafe or any(remedies.marks_of(example.page).values()) else [])
    asked = [("once", before, options, after), ("again", after, options, after)]
    if example.unsafe and example.after:
        asked.append(("safe only", before, ["--all-fixes"], before))
    for what, text, given, wanted in asked:
        got = fixed(text, *given)
        if got != wanted:
            yield f"{example.page}:{example.line} {what}\n{got[start:]}wanted\n{wanted[start:]}"


def test_each_example_becomes_what_its_page_says():
    found = list(remedies.examples())
    wrong = [line for example in found for line in checked(example)]
    same((bool(found), "\n".join(wrong)), (True, ""))


def test_each_page_with_remedies_has_examples_that_stay():
    for page in remedies.pages():
        kinds = [info.split()[1:2] for _, info, _ in remedies.fences(page)]
        if ["remedy"] in kinds:
            same(["before"] in kinds and ["left"] in kinds, True, page)


def test_each_remedy_was_shown_by_a_gpu_or_is_marked_unproven():
    shown, tried = remedies.shown_and_tried(BUILD / "syncl")
    marked = remedies.marked()
    same({"without an example": sorted(set(marked) - tried),
          "not shown in tests/truth/remedies.tsv, and not marked @unproven": sorted(key for key, mark in marked.items() if not mark and key not in shown),
          "marked @unproven, but shown": sorted(key for key, mark in marked.items() if mark and key in shown)},
         {"without an example": [], "not shown in tests/truth/remedies.tsv, and not marked @unproven": [], "marked @unproven, but shown": []})


main(sys.modules[__name__])
