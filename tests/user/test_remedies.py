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


def check(example):
    before = remedies.program(example.before)
    after = remedies.program(example.after or example.before)
    where = f"{example.page}:{example.line}"
    options = ["--unsafe-fixes"] if example.unsafe else []
    same(fixed(before, *options), after, where)
    same(fixed(after, *options), after, f"{where}: a second run changes it")
    if example.unsafe and example.after:
        same(fixed(before), before, f"{where}: it is unsafe")


def test_each_example_becomes_what_its_page_says():
    found = list(remedies.examples())
    for example in found:
        check(example)
    same(bool(found), True)


def test_each_page_with_remedies_has_examples_that_stay():
    for page in remedies.pages():
        kinds = [info.split()[1:2] for _, info, _ in remedies.fences(page)]
        if ["remedy"] in kinds:
            same(["before"] in kinds and ["left"] in kinds, True, page)


main(sys.modules[__name__])
