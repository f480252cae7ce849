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


def wide_project():
    """One part, large enough that a second thread looks ahead of the inference."""
    method = """    def step_{i}(self, batch, scale=None):
        for row in batch:
            loss = (self.model(row) * (scale or {i})).mean()
            if loss.item() > 0.5 and row.shape[0] > {i}:
                self.seen_{i} = loss.detach().cpu()
            loss.backward()
        return [value.item() for value in batch]
"""
    names = [f"part_{k:02}" for k in range(40)]
    for k, name in enumerate(names):
        methods = "".join(method.format(i=i) for i in range(k, k + 25))
        write(name + ".py", f"import torch\nclass Trainer{k}:\n    def __init__(self):\n        self.model = torch.nn.Linear(9, 9).cuda()\n{methods}")
    calls = "".join(f"import {name}\nfor batch in loader:\n    {name}.Trainer{k}().step_{k}(batch.cuda())\n" for k, name in enumerate(names))
    write("main.py", f"import torch\nfrom torch.utils.data import DataLoader\nloader = DataLoader(torch.randn(99, 9), collate_fn=list)\n{calls}")


def test_one_that_looks_ahead_changes_nothing():
    wide_project()
    ran = [syncl(f"--threads={n}", "--no-cache", "--isolated", "--exit-zero", "--output-format=json", ".", status=0) for n in (1, 2, 2, 8)]
    assert len(ran[0].json["findings"]) > 1000, len(ran[0].json["findings"])
    assert all(one.raw == ran[0].raw for one in ran)


def test_numbers_that_are_none():
    for word in ("0", "-1", "many"):
        holds(syncl(f"--threads={word}", PROJECT[0], status=2).err, "--threads")


main(sys.modules[__name__])
