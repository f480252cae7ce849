#!/usr/bin/env python3
"""The bounds that the manual states."""
import sys
from bench import *

SANITIZED = b"__asan_init" in (BUILD / "syncl").read_bytes()
MIB = 1 << 20


def concise(*args, status=1):
    return syncl("--output-format=concise", *args, status=status)


def test_a_source_file_of_8_mib_is_read_and_no_larger_one():
    filler = b"# " + b"x" * 125 + b"\n"
    whole = (TRAIN.encode() + filler * (8 * MIB // len(filler) + 1))[: 8 * MIB]
    write("train.py", whole)
    holds(concise("train.py").out, "train.py:13:14: SYN101")
    write("train.py", whole + b"\n")
    holds(syncl("train.py", status=2).err, "is larger than 8 MiB")


def test_a_notebook_of_64_mib_is_read_and_no_larger_one():
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": TRAIN}
    text = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})
    write("n.ipynb", text + " " * (64 * MIB - len(text)))
    holds(concise("n.ipynb").out, "SYN101")
    write("n.ipynb", text + " " * (64 * MIB + 1 - len(text)))
    holds(syncl("n.ipynb", status=2).err, "is larger than 64 MiB")


def test_nesting_of_500_is_followed_and_what_is_deeper_is_left_out():
    for deep, found in ((450, 1), (600, 0)):
        write("train.py", TRAIN.replace("loss.item()", "-" * deep + "loss.item()"))
        ran = syncl("--output-format=json", "train.py", status=found)
        same(len(ran.json["findings"]), found, deep)


def test_time_and_memory_grow_with_the_code():
    """The square would be four times as fast in the end as in the beginning; the rest is noise of a busy machine."""
    if SANITIZED:
        return
    words = [sys.executable, ROOT / "tests/bench/growth.py", "--sizes", "2", "8", "32", "--runs=1", "--most=2.5"]
    for _ in range(3):  # others may have the machine
        done = subprocess.run(words, env=os.environ | {"BUILD": str(BUILD)}, capture_output=True, text=True, timeout=140)
        if done.returncode == 0:
            return
    same(done.returncode, 0, done.stdout + done.stderr)


main(sys.modules[__name__])
