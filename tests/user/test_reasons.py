#!/usr/bin/env python3
"""The way that a finding tells from its loop to its line: it names the loop, and ends where something else calls."""
import sys
from bench import *


def hot(found, line):
    return [why["text"] for f in found if f["line"] == line for why in f["why"] if why["role"] == "hot"]


def findings(name, text):
    write(name, text)
    return syncl("--output-format=json", name).json["findings"]


def test_a_long_way_ends_with_the_loop():
    helpers = "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n\n\n" for i in range(9))
    found = findings("deep.py", "import torch\n\n\n" + helpers + """def f9(x):
    return x.item()


model = torch.nn.Linear(1, 1).cuda()
for step in range(1000):
    y = model(torch.ones(1, 1, device="cuda"))
    f0(y.sum())
""")
    way = hot(found, 41)
    same(way[0], "called by `f9(x)`")
    same(way[-1], "inside `for step in range(1000):`")
    same(len(way), 6)


def test_a_hook_is_handed_over():
    found = findings("hooks.py", """import torch


def watch(module, inputs, output):
    print(output.sum().item())


def main():
    model = torch.nn.Linear(1, 1).cuda()
    model.register_forward_hook(watch)
    for step in range(1000):
        model(torch.ones(1, 1, device="cuda")).sum().backward()


main()
""")
    same(hot(found, 5), ["handed to `model.register_forward_hook(watch)`, which calls it"])


def test_who_is_called_from_outside_is_the_end():
    found = findings("lit.py", """import pytorch_lightning as pl


class Module(pl.LightningModule):
    def shared(self, batch):
        return self(batch).sum().item()

    def training_step(self, batch, batch_idx):
        return self.shared(batch)
""")
    same(hot(found, 6), ["called by `self.shared(batch)`",
                         "`def training_step(self, batch, batch_idx):` is called again and again"])


TRIALS = """import torch


def train(width):
    model = torch.nn.Linear(8, width).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(10):
        for step in range(1000):
            loss = model(torch.ones(8, 8, device="cuda")).sum()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
    return loss


for width in WIDTHS:
    print(width, train(width).item())
"""


def test_a_loop_of_trainings_is_no_epoch():
    found = findings("sweep.py", TRIALS.replace("WIDTHS", "(1, 2, 4, 8)"))
    often = {f["line"]: f["frequency"]["text"] for f in found if f["rule"] == "host-read"}
    same(often, {12: "once per epoch", 17: "once per training run"})

WATCH = """import torch


def watch(model, x):
    y = model(x)
    print(y.sum().item())  # syncl: hot
    y = model(y)
    print(y.max().item())  # syncl: hot


watch(torch.nn.Linear(8, 8).cuda(), torch.zeros(8, 8, device="cuda"))
"""


def test_hot_statements_of_a_function_are_in_one_call_of_it():
    """A turn is the call, whichever of them is asked: two ledgers of the same turn would count its waits twice."""
    pathlib.Path("watch.py").write_text(WATCH)
    said = syncl("--exit-zero", "--output-format=json", "watch.py", status=0).json
    same([f["line"] for f in sorted(said["findings"], key=lambda f: f["line"])], [6, 8])
    same([loop["unit"] for loop in said["loops"]], ["call"])


METER = """import torch


class Meter:  # syncl: hot
    def update(self, x):
        self.last = x.cuda().sum().item()

    def compute(self, x):
        return x.cuda().max().item()
"""


def test_methods_of_a_hot_class_are_loops_of_their_own():
    pathlib.Path("meter.py").write_text(METER)
    said = syncl("--exit-zero", "--output-format=json", "meter.py", status=0).json
    same({f["line"]: f["loop"] for f in said["findings"]}, {6: "meter.py:5:5", 9: "meter.py:8:5"})


SHARED = {
    "model.py": """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(8, 2)

    def forward(self, x):
        out = self.lin(x)
        print(out.mean().item())
        return out, out.square().mean()
""",
    "bench.py": """import torch
from model import Net

net = Net().cuda()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for k in range(20):
    out, loss = net(torch.randn(4, 8, device="cuda"))
    loss.backward()
    optimizer.step()
""",
    "train.py": """import torch
from model import Net

net = Net().to("cuda")
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for step in range(1000):
    x = torch.randn(4, 8).pin_memory().to("cuda", non_blocking=True)
    out, loss = net(x)
    loss.backward()
    optimizer.step()
    print(loss.item())
""",
}


def test_reasons_come_from_the_program_that_a_finding_is_told_for():
    """train.py and bench.py share a model: what bench.py moves explains nothing in train.py; what both run names the other."""
    for path, text in SHARED.items():
        write(path, text)
    ran = syncl("--output-format=json", "--isolated", ".", status=1).json
    for finding in ran["findings"]:
        homes = {why["file"] for why in finding["why"] if "also run by" not in why["text"]} - {"model.py"}
        same(len(homes), 1, finding["text"] if "text" in finding else str(finding["line"]))
    own = [f for f in ran["findings"] if f["file"] == "train.py" and f["rule"] == "host-read"][0]
    holds(own["why"][0]["text"], "moved to the GPU by `torch.randn(4, 8).pin_memory().to")
    shared = [f for f in ran["findings"] if f["file"] == "model.py"][0]
    same([why["text"] for why in shared["why"]][-1], "also run by `train.py`")


main(sys.modules[__name__])
