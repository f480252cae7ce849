#!/usr/bin/env python3
"""However many threads read, lower and price, the bytes are the same."""
import sys
from bench import *

PROJECT = [str(ROOT / folder) for folder in ("corpus", "tests/cases")]  # some 400 files, many loops


def report(threads, *options):
    return syncl(f"--threads={threads}", "--no-cache", "--isolated", "--exit-zero", "--min-confidence=possible", *options, *PROJECT, status=0).raw


def test_every_number_gives_the_same_bytes():
    one = report(1, "--output-format=json")
    assert len(one) > 100000, "the project is too small to be shared"
    for threads in (2, 3, 16, 64):
        assert report(threads, "--output-format=json") == one, f"{threads} threads"
    assert report(2, "--dump=model") == report(1, "--dump=model")
    assert report(5) == report(1)


def test_numbers_that_are_none():
    for word in ("0", "-1", "many"):
        holds(syncl(f"--threads={word}", PROJECT[0], status=2).err, "--threads")


main(sys.modules[__name__])
