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


def peak_and_bytes(layout):
    with open("out", "wb") as out:
        words = [BUILD / "syncl", "--no-cache", "--exit-zero", "--threads=1", f"--output-format={layout}", "many.py"]
        child = subprocess.Popen(words, stdout=out)
        peak = os.wait4(child.pid, 0)[2].ru_maxrss * 1024
    return peak, os.path.getsize("out")


def test_json_takes_memory_for_one_finding_at_a_time():
    if SANITIZED:
        return
    write("many.py", "import torch\nx = torch.zeros(1, device=\"cuda\")\nwhile True:\n" + "    x.item()\n" * 10000)
    plain, _ = peak_and_bytes("concise")
    whole, written = peak_and_bytes("json")
    if whole - plain > 4 * written:
        raise AssertionError(f"{(whole - plain) / written:.1f} bytes for each that is written")


def test_a_condition_of_flags_made_of_one_another_is_asked_in_parts():
    flags = "".join(f"f{i + 1} = f{i} and f{i}\n" for i in range(60))
    write("train.py", TRAIN.replace("total = 0.0\n", "total = 0.0\nf0 = total < 1\n" + flags) + "    if f60:\n        x.sum().item()\n")
    holds(concise("train.py").out, "train.py:76:9: SYN101")


main(sys.modules[__name__])
