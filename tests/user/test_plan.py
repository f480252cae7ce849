#!/usr/bin/env python3
"""What to do first: groups of findings with one remedy, their joint gain, and how wide a text report may be."""
import json
import sys
from bench import *

INDEXED = """import numpy as np
import torch

device = torch.device("cuda")
model = torch.nn.Linear(1024, 1024).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
a, b, c = (torch.randn(4096, 1024, device=device) for _ in range(3))
order = np.arange(4096)
for start in range(0, 4096, 64):
    rows = order[start:start + 64]
    loss = (model(a[rows]) - b[rows]).pow(2).mean() + c[rows].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

LOADED = """import torch
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = torch.nn.Linear(64, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader = DataLoader(data, batch_size=64)
total = 0.0
for step, (x, y) in enumerate(train_loader):
    x = x.to(device)
    y = y.to(device)
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.item()
"""


def plan(text, *args):
    write("train.py", text)
    return syncl("--output-format=json", "--isolated", *args, "train.py", status=1).json


def by_line(ran, group):
    return sorted(f["line"] for f in ran["findings"] if f["id"] in group["findings"])


def test_one_index_array_is_one_group():
    """Three index reads of one numpy array: one edit, where the array is made, mends them all."""
    ran = plan(INDEXED)
    group = ran["plan"]["groups"][0]
    same((group["where"], by_line(ran, group)), ("train.py:10", [11, 11, 11]))
    holds(group["write"][0], "Make `rows` (line 10) a GPU tensor once")
    holds(group["write"][0], "`rows = torch.as_tensor(rows, device=device)`")


def test_a_loader_that_does_not_pin_is_one_group():
    ran = plan(LOADED)
    group, = [g for g in ran["plan"]["groups"] if "pin_memory" in g["write"][0]]
    same((group["where"], by_line(ran, group)), ("train.py:7", [10, 11]))
    same(group["write"], ["Have `train_loader` (line 7) pin its batches (`pin_memory=True` of a `DataLoader`), and write `x.to(device, non_blocking=True)` (line 10), `y.to(device, non_blocking=True)` (line 11)."])


def test_without_a_loader_no_advice_is_about_one():
    ran = plan(LOADED.replace("enumerate(train_loader)", "enumerate(make())"))
    group, = [g for g in ran["plan"]["groups"] if "non_blocking" in g["write"][0]]
    same(group["write"], ["Let what makes the data of a turn put it into page-locked memory (a loader's `pin_memory=True`), and write `x.to(device, non_blocking=True)` (line 10), `y.to(device, non_blocking=True)` (line 11)."])


HIDDEN = """import torch
device = torch.device("cuda")
model = torch.nn.Sequential(*[torch.nn.Linear(1024, 1024) for _ in range(12)]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(4096, 1024, device=device)
total = 0.0
for step in range(1000):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.item()
    print(model[0].weight)
"""


def test_what_gains_once_the_others_are_mended():
    """The print is dear by itself; the read right before it gains nothing as long as the print waits for the same work."""
    ran = plan(HIDDEN)
    prints, read = ran["plan"]["groups"]
    same((by_line(ran, prints), prints.get("on_top"), by_line(ran, read), read.get("on_top")), ([13], None, [12], True))
    alone, = [f["cost"]["high_us"] for f in ran["findings"] if f["line"] == 12]
    same((alone < 20, read["gain"]["high_us"] > 100), (True, True), (alone, read["gain"]))
    holds(" ".join(syncl("train.py", status=1).out.split()), "once the loop's other groups are mended")


def test_any_number_of_groups_that_only_gain_together_is_one():
    names = "abcdefghij"
    arrays = "".join(f"{name} = np.arange(64)\n" for name in names)
    uses = "".join(f"    x = x + table[{name}]\n" for name in names)
    source = HIDDEN.replace("import torch\n", "import numpy as np\nimport torch\n").replace("    total += loss.item()\n    print(model[0].weight)\n", "")
    source = source.replace("range(12)", "range(120)").replace("total = 0.0\n", "total = 0.0\ntable = torch.ones(4096, 1024, device=device)\n" + arrays)
    ran = plan(source.replace("    loss = model", uses + "    loss = model"))
    same([len(group["findings"]) for group in ran["plan"]["groups"]], [len(names)])


def test_what_only_gains_together_is_one_group():
    """Two reads with nothing queued between them: without the one, the other stands as long."""
    reads = "    shown = model.weight.sum().item(), loss.cpu()\n"
    ran = plan(LOADED.replace("    x = x.to(device)\n    y = y.to(device)\n", "").replace("DataLoader(data, batch_size=64)", "batches(device)") + reads, "--top=9")
    total = sum(group["gain"]["high_us"] for group in ran["plan"]["groups"])
    loop, = ran["plan"]["loops"]
    same(loop["gain"]["high_us"] <= total * 1.3, True, ran["plan"])


def test_groups_gain_what_the_loop_gains():
    """No sum below the total: the groups' gains hold what all of them gain at once; but for loops whose own work the GPU may hide:
    there the last wait that is left shows it."""
    for script in sorted((ROOT / "corpus/scripts").glob("*.py")):
        ran = syncl("--output-format=json", "--isolated", "--exit-zero", "--top=99", script, status=0).json
        hides = {loop["id"] for loop in ran["loops"] if "may be hidden" in loop["text"]}
        folded = {loop for group in ran["plan"]["groups"] for loop in group["also_in"]}
        for loop in ran["plan"]["loops"]:
            if loop["loop"] in folded: continue
            parts = [g["gain"]["high_us"] for g in ran["plan"]["groups"] if g["loop"] == loop["loop"]]
            same(loop["loop"] in hides or loop["gain"]["high_us"] <= 1.6 * sum(parts) + 1, True, (script.name, loop, parts))


LOSSES = """
def other(train_loader, model, optimizer):
    total = 0.0
    for x, y in train_loader:
        loss = torch.nn.functional.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


other(train_loader, model, optimizer)
"""


def test_one_remedy_in_several_loops_is_one_group():
    """One place stands for all, and the others are named in a line: a run has one loop or the other, so no gain is of both."""
    ran = plan(LOADED + LOSSES)
    group, = [g for g in ran["plan"]["groups"] if any("pin_memory" in text for text in g["write"])]
    alike = sorted(f["line"] for f in ran["findings"] if f["id"] in group["alike"])
    same((by_line(ran, group), alike, len(group["also_in"])), ([10, 11], [21, 21], 1))
    holds(syncl("train.py", status=1).out, "   The same in 1 other place: line 21.\n")
    alone = plan(LOADED)["plan"]["groups"]
    gains = [g["gain"]["high_us"] for g in alone if any("pin_memory" in text for text in g["write"])]
    same(group["gain"]["high_us"] <= 2 * max(gains), True)


HELPED = LOADED.replace("    total += loss.item()\n", "    total += loss.item()\n    note(model(x), y)\n").replace("total = 0.0\n", """total = 0.0
def note(out, y):
    hits = (out.argmax(1) == y).sum().item()
    print(hits, out.abs().max().item())

""")


def test_a_group_is_of_one_place():
    """What a loop reads and what a function that it calls reads are two edits, unless they only gain together."""
    ran = plan(HELPED, "--top=9")
    places = [(by_line(ran, g), g["together"]) for g in ran["plan"]["groups"] if "pin_memory" not in g["write"][0]]
    same([set(lines) for lines, together in places if not together], [{10, 11}, {20}], places)


READS = LOADED.replace("    x = x.to(device)\n    y = y.to(device)\n", "").replace("DataLoader(data, batch_size=64)", "[(torch.ones(64, 64, device=device), torch.ones(64, dtype=torch.long, device=device))] * 9")


def test_the_reads_of_a_loop_are_one_group():
    """Added up, kept and shown: each waits for the same work, and one finding's order of edits is no other's."""
    text = READS.replace("total = 0.0", "total, kept = 0.0, []") + "    kept.append(loss.item())\n    if loss.item() > 9: print('far')\n"
    ran = plan(text)
    group = ran["plan"]["groups"][0]
    same((by_line(ran, group), len(group["write"])), ([14, 15, 16], 3))


def test_a_group_names_a_line_once():
    """By size, the copies of one line stand on both sides of the next line's."""
    data = "[(torch.ones(4096, 4096), torch.zeros(1, dtype=torch.long), torch.ones(512, 512))] * 900"
    moved = LOADED.replace("(data,", f"({data},").replace("(x, y)", "(x, y, w)").replace("x = x.to(device)", "x, y = x.to(device), y.to(device)")
    write("train.py", moved.replace("    y = y.to(device)", "    w = w.to(device)").replace("model(x)", "model(x) * w.mean()"))
    holds(syncl("--isolated", "train.py", status=1).out, "mends 3 findings: 10, 11\n")


def test_a_wait_beside_one_that_stays_is_told_last():
    """The branch needs the value: with the copy behind it mended the host stands there just as long."""
    text = READS.replace("total = 0.0", "total, table = 0.0, torch.ones(8)").replace("    total += loss.item()\n", "    if loss.item() > 9:\n        break\n    row = table.to(device)\n")
    ran = plan(text)
    last = ran["findings"][-1]
    same((last["rule"], [g["together"] for g in ran["plan"]["groups"] if last["id"] in g["findings"]]), ("copy-to-device", [True]), ran["plan"])
    holds(last["cost"]["text"], "a wait that stays stands right before it")


def test_several_waits_beside_one_that_stays_are_mended():
    """Only the first of a list's copies stands behind the branch: the others wait each for itself."""
    text = READS.replace("total = 0.0", "total, kept = 0.0, []").replace("    total += loss.item()\n", "    if loss.item() > 9:\n        break\n    for p in model.parameters():\n        kept.append(p.detach().cpu())\n")
    ran = plan(text)
    copied = next(f for f in ran["findings"] if f["rule"] == "copy-to-host")
    same([g["where"].rpartition(":")[2] for g in ran["plan"]["groups"] if copied["id"] in g["findings"]], [str(copied["line"])], ran["plan"])
    lacks(copied["cost"]["text"], "stands right before it")


def test_reads_of_a_training_step_stand_before_calls_that_nobody_makes():
    text = READS + """

def score(self_model: torch.nn.Module, points):
    found = self_model(points.to(device))
    return found.detach().cpu().numpy()
"""
    first = plan(text)["findings"][0]
    same((first["line"], first["frequency"]["unit"]), (14, "step"))


def test_no_gain_is_more_than_the_turn():
    """What runs now and then, or below an option, is no part of the turn that is replayed: its share is of both."""
    for script in sorted((ROOT / "corpus/scripts").glob("*.py")) + [ROOT / "tests/cases"]:
        ran = syncl("--output-format=json", "--isolated", "--exit-zero", "--top=99", script, status=0).json
        same([g for g in ran["plan"]["groups"] if g["share"]["high"] > 1 or g["share"]["low"] > g["share"]["high"]], [], script.name)


def test_an_edit_for_the_whole_run_is_told_once():
    """The switch of distributions stands at start-up, whichever loops validate and whatever else waits in them."""
    source = LOADED.replace("    loss = ", "    noise = torch.distributions.Normal(x, torch.ones_like(x)).rsample()\n    loss = ")
    second = LOSSES.replace("        loss = ", "        noise = torch.distributions.Normal(x.to(device), torch.ones_like(x).to(device)).rsample()\n        loss = ")
    groups = plan(source + second, "--top=20")["plan"]["groups"]
    told = [g for g in groups if any("set_default_validate_args" in text for text in g["write"])]
    same((len(told), len(told[0]["write"])), (1, 1), groups)


def test_names_in_advice_are_code():
    """`a / b.detach()` is something else than `(a / b).detach()`."""
    ran = plan(READS.replace("total += loss.item()", "kept = (loss / 3).item()"))
    texts = [text for group in ran["plan"]["groups"] for text in group["write"]]
    same([text for text in texts if "/ 3.detach" in text], [], texts)


def test_a_plan_fits_a_screen():
    """Forty lines of a hundred columns, and nothing cut in the middle of a sentence."""
    for root in (ROOT / "corpus", ROOT / "tests/cases"):
        lines = syncl("--isolated", "--exit-zero", root, env={"COLUMNS": "100"}, status=0).out.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("What to do first"))
        heads = [i for i, line in enumerate(lines) if i > start and "finding" in line and not line.startswith(" ") and not line[0].isdigit()]
        same(heads[0] <= 40, True, lines[start:heads[0]])


def test_code_beside_the_program_stands_last():
    """What stands in `legacy/`, `benchmark_*.py` or `*_tutorial.py` comes after what the program does, however dear; where nothing else is given, it was meant."""
    write("legacy/old.py", INDEXED)
    write("program/train.py", LOADED)
    write("program/benchmark_speed.py", INDEXED)
    write("program/net_tutorial.py", INDEXED)
    files = lambda *given: [f["file"] for f in syncl("--output-format=json", "--isolated", *given, status=1).json["findings"]]
    same(sorted(set(files(".")[:3])), ["program/train.py"])
    same(files("legacy", "program/benchmark_speed.py")[:2], ["legacy/old.py", "program/benchmark_speed.py"])
    same(syncl("--output-format=json", "--isolated", ".", status=1).json["plan"]["groups"][0]["where"].split(":")[0], "program/train.py")
    same(files("legacy/old.py", "program/train.py")[-3:], ["legacy/old.py"] * 3)


def test_what_nothing_runs_is_told_so():
    """Of two equal modules the one that the package imports stands first; a script runs, and so does what is loaded by its name, but no
    file of a folder that Python cannot import."""
    loop = "import torch\n\n\ndef train(loader, model):\n    model = model.cuda()\n    for x in loader:\n        loss = model(x).sum()\n        loss.backward()\n        print(loss.item())\n"
    for name in ("pkg/aside.py", "pkg/trained.py", "pkg/zoo/net.py", "old-pkg/train.py", "run.py"):
        write(name, loop + ("\n\ntrain(batches, net)\n" if name == "run.py" else ""))
    write("pkg/__init__.py", "from pkg.trained import train\n")
    write("pkg/zoo/__init__.py", "import importlib\n\n\ndef load(name):\n    return importlib.import_module(name)\n")
    write("old-pkg/__init__.py", "from .train import train\n")
    found = syncl("--output-format=json", "--isolated", "pkg", "old-pkg", "run.py", status=1).json["findings"]
    same({f["file"]: f["standing"] for f in found}, {"old-pkg/train.py": "stray", "pkg/aside.py": "stray", "pkg/trained.py": "program",
                                                     "pkg/zoo/net.py": "program", "run.py": "program"})
    same({f["file"] for f in found[-len(found) // 5 * 2:]} >= {"pkg/aside.py"}, True)
    same(found[0]["standing"], "program")


def test_what_gains_nothing_is_not_in_it():
    """A read once in a thousand steps: below a hundredth of the step, and said to be left."""
    text = INDEXED.replace("a[rows]", "a").replace("b[rows]", "b").replace("c[rows]", "c") + "    if start % 64000 == 0:\n        print(loss.item())\n"
    write("train.py", text)
    ran = syncl("--output-format=json", "--isolated", "train.py", status=0).json
    same((ran["plan"]["groups"], [loop["leave"] for loop in ran["plan"]["loops"]]), ([], [True]))
    holds(syncl("--isolated", "train.py", status=0).out, "together below 1 % of a turn: leave them")


def test_top_says_how_many():
    write("train.py", LOADED)
    whole = syncl("--output-format=json", "--isolated", "--top=9", "train.py", status=1).json["plan"]
    same((len(whole["groups"]) > 1, whole["more"]), (True, 0))
    one = syncl("--output-format=json", "--isolated", "--top=1", "train.py", status=1).json["plan"]
    same((one["groups"], one["more"]), (whole["groups"][:1], len(whole["groups"]) - 1))
    same(syncl("--isolated", "--top=1", "train.py", status=1).out.count("\n1. "), 1)
    lacks(syncl("--isolated", "--top=1", "train.py", status=1).out, "\n2. ")


def test_no_line_is_wider_than_the_terminal():
    for columns in (60, 72, 100, 140):
        for form in ("plan", "full", "concise"):
            out = syncl("--isolated", "--exit-zero", f"--output-format={form}", "--min-confidence=possible", "corpus", "tests/cases", env={"COLUMNS": str(columns)}, cwd=ROOT).out
            limit = 159 if form == "concise" else columns
            same([line for line in out.splitlines() if len(line) > limit][:3], [], (form, columns))


def test_without_a_terminal_a_hundred_columns():
    out = syncl("--isolated", "--exit-zero", "-v", "corpus", env={"COLUMNS": ""}, cwd=ROOT).out
    width = max(map(len, out.splitlines()))
    same(90 < width <= 100, True, width)


def test_a_finding_has_at_most_six_lines():
    for columns in (60, 100):
        out = syncl("--isolated", "--exit-zero", "-qv", "--min-confidence=possible", "corpus", "tests/cases", env={"COLUMNS": str(columns)}, cwd=ROOT).out
        blocks = [block for block in out.split("\n\n") if " | " in block]
        same([block for block in blocks if block.count("\n") >= 6][:1], [], columns)
        same(len(blocks) > 300, True)


def test_the_width_is_part_of_the_request():
    write("train.py", LOADED)
    outs = [syncl("--isolated", "--cache-dir=kept", "train.py", env={"COLUMNS": str(n)}, status=1).out for n in (60, 140, 60)]
    same((outs[0] == outs[2], outs[0] == outs[1]), (True, False))


def test_the_plan_is_the_same_from_the_cache():
    write("train.py", INDEXED)
    write("other.py", LOADED)
    outs = [syncl("--isolated", "--cache-dir=kept", "--output-format=json", f"--top={n}", "train.py", "other.py", status=1).out for n in (5, 5, 50)]
    same((outs[0] == outs[1], json.loads(outs[0])["plan"]["groups"] == json.loads(outs[2])["plan"]["groups"]), (True, True))


def test_a_pull_request_hears_the_gain_first():
    """Each annotation begins with what mending gains; whose prices they are is said once, in the log."""
    write("train.py", LOADED)
    out = syncl("--isolated", "--output-format=github", "train.py", status=1).out
    told = [line.split("::")[2] for line in out.splitlines() if line.startswith("::")]
    same((len(told), [text for text in told if not text.startswith(("Mending it ", "Costs "))]), (3, []))
    same(out.count("built-in reference profile"), 1)


def test_markdown_is_the_plan_and_folded_findings():
    write("train.py", LOADED)
    out = syncl("--isolated", "--output-format=markdown", "train.py", status=1).out
    holds(out, "**What to do first**")
    holds(out, "1. **train.py")
    holds(out, "<details><summary>All 3 findings, most worth mending first</summary>")
    same(out.count("<details>"), out.count("</details>"))


def test_a_comment_stays_below_githubs_limit():
    body = "".join(f"    print(x[{i}].item(), 'a_very_long_text_{i}' * 3)\n" for i in range(3000))
    write("many.py", f"import torch\nx = torch.ones(4000, device='cuda')\nfor i in range(99):\n{body}")
    out = syncl("--isolated", "--output-format=markdown", "--top=100", "many.py", status=1).out
    same(20000 < len(out) < 65536, True, len(out))
    holds(out, "more findings are in the log.")
    same(out.count("<details>"), out.count("</details>"))


def test_markdown_takes_no_markup_from_the_sources():
    """Names, text and code of the analysed files cannot become a link, a mention, a tag or the end of the block."""
    nasty = "](http://evil) <img src=x onerror=alert(1)> @owner #1 </details> ``` | ![a](b)"
    write("a](b) @x <b>.py", f"import torch\nx = torch.ones(3, device='cuda')\nd = {{}}\nfor i in range(9):\n    d[{nasty!r}] = x.sum().item()\n    print(f'{{d[{nasty!r}]}}', {nasty!r} + str(x.sum().item()))\n")
    out = syncl("--isolated", "--output-format=markdown", ".", status=1).out
    for bad in ("](", "<img", "<b>", "@x", "@owner", "```", "http://evil"):
        lacks(out, bad)


def test_quiet_shows_findings_only():
    write("train.py", LOADED)
    out = syncl("--isolated", "-q", "train.py", status=1).out
    same([line.split(":")[0] for line in out.splitlines()], ["train.py"] * 3)


TRAINS = """import torch

model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(99):
    loss = model(torch.ones(64, 64, device="cuda")).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def test_a_notebook_of_a_program_that_trains_lies_beside():
    write("shown.ipynb", json.dumps({"cells": [{"cell_type": "code", "metadata": {}, "source": TRAINS, "outputs": [], "execution_count": None}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    run = lambda *names: {f["file"]: f["standing"] for f in syncl("--output-format=json", *names, status=1).json["findings"]}
    same(run("shown.ipynb"), {"shown.ipynb": "program"})
    write("train.py", TRAINS)
    same(run("shown.ipynb", "train.py"), {"train.py": "program", "shown.ipynb": "beside"})


STEPPED = """import torch


class Trainer:
    def __init__(self):
        self.model = torch.nn.Linear(8, 8).cuda()

    def show(self, x):
        print(self.model(x.cuda()).sum().item())

    def train_step(self, x):
        print(self.model(x.cuda()).mean().item())
"""


def test_what_trains_in_somebody_elses_loop_comes_before_other_calls():
    ran = plan(STEPPED)
    same([f["line"] for f in ran["findings"] if f["rule"] == "host-read"], [12, 9])


PER_ROW = """import torch


def project(row):
    if row.sum() > 1:
        row = row / row.sum()
    return row


model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(99):
    out = model(torch.ones(64, 64, device="cuda"))
    loss = torch.stack([project(row) for row in out]).mean()
    loss.backward()
    optimizer.step()
"""


def test_the_plan_names_the_loop_that_multiplies_a_wait():
    """Each row waits; all of them are mended where the rows are gone over."""
    write("train.py", PER_ROW)
    holds(" ".join(syncl("--isolated", "train.py", status=1).out.split()), "repeated by the loop at line 14, certain Branch on")


main(sys.modules[__name__])
