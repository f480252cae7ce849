#!/usr/bin/env python3
"""Line ends that Python knows: LF, CR LF and CR, one file with all of them too. The report is the same to the column."""
import sys
from bench import *

SOURCE = '''"""Of two
lines."""
import torch  # a comment ends with its line
x = torch.ones(3, device="cuda")
text = """a
b"""
for i in range(1000):
    y = x * \\
        x
    y.sum().backward()  # so does this

    print(y.sum().item(), """c
d""")
    if y.sum().item() > 0:  # syncl: allow[host-read] for now
        pass
'''


def report(source, *more):
    write("train.py", source)
    ran = syncl("--output-format=json", *more, "train.py", status=1).raw
    return json.dumps(json.loads(ran)).replace("\\r\\n", "\\n").encode()


def mixed(source):
    ends = [b"\n", b"\r\n", b"\r", b"\n", b"\r"]
    lines = source.split(b"\n")
    return b"".join(line + (ends[i % len(ends)] if line else b"\r") for i, line in enumerate(lines[:-1])) + lines[-1]


def test_a_carriage_return_alone_ends_a_line():
    source = SOURCE.encode()
    wanted = report(source)
    same(len(json.loads(wanted)["findings"]), 1)
    for name, other in (("CR LF", source.replace(b"\n", b"\r\n")), ("CR", source.replace(b"\n", b"\r")), ("mixed", mixed(source)),
                        ("last", source[:-1] + b"\r")):
        same(report(other), wanted, name)
        same(report(other), wanted, name + " from the cache")


def test_a_carriage_return_alone_ends_a_line_of_standard_input():
    found = [syncl("--output-format=concise", "-", stdin=SOURCE.replace("\n", end).encode(), status=1).out for end in ("\n", "\r")]
    same(found[1], found[0])


def test_a_carriage_return_alone_ends_a_line_of_a_cell():
    cells = [[line + "\r" for line in SOURCE.split("\n")], SOURCE.replace("\n", "\r"), SOURCE]
    for cell in cells:
        write("nb.ipynb", json.dumps({"cells": [{"cell_type": "code", "metadata": {}, "source": cell, "outputs": [], "execution_count": None}],
                                      "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        found = syncl("--output-format=json", "nb.ipynb", status=1).json["findings"]
        same([(f["cell"], f["line"], f["column"]) for f in found], [(1, 12, 11)])


def test_what_is_broken_and_ends_with_a_comment_ends_within_its_line():
    source = SOURCE + """for indices in range(9):
    y = (
        x[:-1.view(-1)[indices],  # a comment
        x[:-1].view(-1, 1)[torch.tensor([indices])],  # another
    )
"""
    ends = []
    for end in ("\n", "\r\n"):
        write("train.py", source.replace("\n", end).encode())
        found = syncl("--output-format=json", "--min-confidence=possible", "train.py", status=1).json["findings"]
        ends.append([(f["line"], f["column"], f["end_line"], f["end_column"]) for f in found])
    same(ends[1], ends[0])


if __name__ == "__main__":
    main(sys.modules[__name__])
