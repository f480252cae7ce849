#!/usr/bin/env python3
"""`--dump=evidence`: what was seen of each wait, told or not; `--dump=sites`: of those that are told."""
import collections, re, sys
from bench import *

KNOWN = r"""
import torch

def train(model, loader, args):
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
    same({"STEP", "NOW_AND_THEN", "ROOT_MOVED"} - bits, set())
    same({"NO_DEVICE", "CALLER", "GUESSED", "KNOWN"} & bits, set())


def test_what_a_convention_says_is_told_from_what_the_code_says():
    code = "import torch\n\ndef clip(x: torch.Tensor):\n    return x.max().item()\n"
    _, _, _, bits = only(ways(write("clip.py", code)), 4, "host-read")
    same({"AGAIN", "ROOT_ANNOTATED", "NO_DEVICE", "BELIEVED"} - bits, set())


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


def table():
    """Of confidence.def: weight of each group, (group, most, word) of each bit, bounds, constant."""
    text = (ROOT / "analyzer/belief/confidence.def").read_text()
    weights = {name: float(weight) for name, weight in re.findall(r"^(?:FOR|AGAINST)\((\w+), (-?[\d.]+),", text, re.M)}
    rows = {name: row for name, *row in re.findall(r'^EVIDENCE\((\w+), (\w+), (\w+), "([^"]+)"', text, re.M)}
    bounds = {name.lower(): float(least) for name, least in re.findall(r"^LEVEL\((\w+), (-?[\d.]+)\)", text, re.M)}
    return weights, rows, bounds, float(re.search(r"^CONSTANT\((.*)\)", text, re.M)[1])


def level_by_table(bits):
    weights, rows, bounds, constant = table()
    score = constant + sum(weights.get(group, 0) for group in {rows[bit][0] for bit in bits})
    most = [rows[bit][1].lower() for bit in bits]
    for level in ("certain", "likely", "possible"):
        capped = "possible" in most and level != "possible" or "likely" in most and level == "certain"
        if score >= bounds[level] - 1e-9 and not capped:
            return level
    return "none"


def test_the_table_alone_makes_a_level_of_the_bits():
    seen = collections.Counter()
    for folder in ("tests/cases/possible", "tests/cases/frequency", "corpus/scripts"):
        for found in ways(ROOT / folder).values():
            for _, _, level, bits in found:
                if level != "once" and "HARDLY" not in bits:
                    seen[level] += 1
                    same(level, level_by_table(bits), sorted(bits))
    same(min(seen[level] for level in ("certain", "likely", "possible", "none")) > 3, True, seen)


def test_the_table_makes_the_level_of_every_finding():
    weights, rows, _, _ = table()
    for folder in ("tests/cases", "corpus/scripts"):
        for line in syncl("--dump=sites", ROOT / folder).out.splitlines():
            head, found, tail = line.partition(" score ")
            if found:
                level = re.search(r": [\w-]+ (certain|likely|possible) ", head)[1]
                same(level, level_by_table(tail.split()[1:]), line)


def test_a_table_that_speaks_both_ways_has_no_row_of_the_wrong_sign():
    text = (ROOT / "analyzer/belief/confidence.def").read_text()
    rows = re.findall(r"^(FOR|AGAINST)\(\w+, (-?[\d.]+),", text, re.M)
    same(len(rows) <= 25, True, len(rows))
    same([row for row in rows if (float(row[1]) < 0) == (row[0] == "FOR")], [])


def speaks_against(weights, row):
    return weights.get(row[0], 0) < 0 or row[1] in ("LIKELY", "POSSIBLE")


def test_the_doubts_of_json_are_the_bits_that_speak_against_a_wait():
    weights, rows, _, _ = table()
    path = write("train.py", KNOWN)
    told = syncl("--output-format=json", "--min-confidence=possible", path, status=1).json["findings"]
    _, _, _, bits = only(ways(path), 12, "host-read")
    against = {rows[bit][2] for bit in bits if speaks_against(weights, rows[bit])}
    same([set(one["doubts"]) for one in told if one["line"] == 12], [against])
    same("now-and-then" in against, True)
    words = {row[2] for row in rows.values() if speaks_against(weights, row)}
    documented = syncl("--json-schema").json["$defs"]["finding"]["properties"]["doubts"]
    same(set(documented["items"]["enum"]), words)


def test_a_report_says_why_a_finding_is_no_surer():
    text = syncl("--output-format=full", "--min-confidence=possible", write("train.py", KNOWN), status=1).out
    holds(text, "likely, not certain: once in an unknown number of turns")
    code = "import torch\ndef start(values):\n    return torch.tensor(values, device='cuda')\n"
    text = syncl("--output-format=full", "--min-confidence=possible", write("start.py", code), status=None).out
    holds(text, "possible only: as a rule, says the page; nobody in sight calls it")


def test_what_a_page_calls_possible_is_no_more_than_that():
    code = KNOWN.replace("for step, x in enumerate(loader):", "for step, x in enumerate([torch.randn(4, 4) for _ in range(2)]):")
    code = code.replace("x.to(", "x.to(non_blocking=True, device=")
    found = ways(write("asynchronous.py", code))[8]
    same(sorted((rule, level) for rule, _, level, bits in found if "PAGE" in bits), [("copy-to-device", "possible"), ("pageable-async", "possible")])


def test_graph_shows_blocks_and_what_reaches():
    """`--dump=graph`: a block a line, then the definitions that reach each use."""
    out = syncl("--dump=graph", write("flags.py", "def f(x):\n    if x: y = 1\n    else: return\n    print(y)\n")).out
    holds(out, "  B2 dom B1 pdom B3 if x | 2 y= -> B3")
    holds(out, "    y of 4 is of 2")


main(sys.modules[__name__])
