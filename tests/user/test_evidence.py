#!/usr/bin/env python3
"""`--dump=evidence`: what was seen of each wait, told or not; `--dump=sites`: of those that are told."""
import sys
from bench import *

KNOWN = r"""
import torch

def train(model, loader):
    model = model.to("cuda")
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(loader):
        loss = model(x.to("cuda")).sum()
        loss.backward()
        opt.step()
        if step % args.every == 0:
            print(loss.item())
"""


def ways(path, stage="evidence"):
    """line -> [(rule, unit, level, bits)]"""
    found = {}
    for line in syncl(f"--dump={stage}", path).out.splitlines():
        place, _, rule, _, unit, level, _, _, *bits = line.split()
        found.setdefault(int(place.split(":")[1]), []).append((rule, unit, level, set(bits)))
    return found


def only(found, line, rule):
    same([one[0] for one in found.get(line, [])], [rule], found)
    return found[line][0]


def test_a_device_in_so_many_words_and_a_step_are_evidence():
    _, unit, level, bits = only(ways(write("train.py", KNOWN)), 12, "host-read")
    same((unit, level), ("step", "likely"))
    same({"STEP", "NOW_AND_THEN", "CHOSEN", "ROOT_MOVED"} - bits, set())
    same({"NO_DEVICE", "CALLER", "GUESSED"} & bits, set())


def test_what_a_convention_says_is_told_from_what_the_code_says():
    code = "import torch\n\ndef clip(x: torch.Tensor):\n    return x.max().item()\n"
    _, _, _, bits = only(ways(write("clip.py", code)), 4, "host-read")
    same({"CALLER", "ROOT_ANNOTATED", "NO_DEVICE", "BELIEVED"} - bits, set())


def test_what_is_not_told_has_its_evidence_too():
    code = KNOWN + "        more = elsewhere(loss)\n        if more:\n            return\n"
    _, _, level, bits = only(ways(write("flag.py", code)), 14, "tensor-truth")
    same((level, "IF_THERE" in bits), ("none", True))
    told = syncl("--output-format=json", "--min-confidence=possible", "flag.py", status=1).json["findings"]
    same(sorted(one["line"] for one in told), [8, 12])


def test_code_for_data_has_that_as_evidence():
    code = "import torch\n\nclass Crop:\n    def __call__(self, image: torch.Tensor):\n        return image[image > 0]\n"
    for name, bit in (("datasets/crop.py", "DATA"), ("transforms/crop.py", "TRANSFORMS"), ("models/crop.py", None)):
        _, _, _, bits = only(ways(write(name, code)), 5, "dynamic-shape")
        same({"DATA", "TRANSFORMS"} & bits, {bit} - {None}, name)


def test_sites_are_printed_with_their_evidence():
    text = syncl("--dump=sites", write("train.py", KNOWN)).out
    line = text.split("train.py:12:")[1].split("\n")[0]
    holds(line, " ROOT_MOVED")
    holds(line, " NOW_AND_THEN")


main(sys.modules[__name__])
