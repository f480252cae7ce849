#!/usr/bin/env python3
"""What no import connects is analysed apart: several projects in one run give what each of them gives alone."""
import sys
from bench import *

HELPERS = """import torch
def report(outputs):
    return [value.item() for value in outputs]
class Meter:
    def update(self, value):
        self.total = value
    def show(self):
        return f"{self.total:.3f}"
"""
LOOP = """import torch
from helpers import Meter, report
device = torch.device("cuda")
model = torch.nn.Linear(10, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
meter = Meter()
for step in range(1000):
    loss = model(torch.randn(32, 10, device=device)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.update(loss)
    print(report([loss]), meter.show())
"""
NUMBERS = """import torch
from helpers import Meter
meter = Meter()
for step in range(1000):
    meter.update(step / 10)
    print(meter.show())
"""
KEYS = ("line", "column", "rule", "confidence", "frequency", "cost", "reasons")


def put(folder, files):
    pathlib.Path(folder).mkdir()
    for name, text in files.items():
        pathlib.Path(folder, name).write_text(text)


def three_projects():
    put("first", {"train.py": LOOP, "helpers.py": HELPERS})
    put("numbers", {"count.py": NUMBERS, "helpers.py": HELPERS})
    put("third", {"train.py": TRAIN})


def findings(*paths):
    """By file; positions within reasons name their files from the current folder, alone and together."""
    found = {}
    for one in syncl("--no-cache", "--isolated", "--exit-zero", "--output-format=json", "--min-confidence=possible", *paths, status=0).json["findings"]:
        found.setdefault(one["file"], []).append({key: one.get(key) for key in KEYS})
    return {file: sorted(ones, key=lambda one: (one["line"], one["column"])) for file, ones in found.items()}


def test_together_as_apart():
    three_projects()
    together = findings("first", "numbers", "third")
    apart = {**findings("first"), **findings("numbers"), **findings("third")}
    assert together == apart, (together, apart)
    assert len(together["first/helpers.py"]) == 2, together
    assert "numbers/helpers.py" not in together, "a meter of numbers reads no tensor"


def test_each_speaks_of_its_own_gpu():
    put("apple", {"train.py": TRAIN.replace("cuda", "mps")})
    alone = findings("apple")
    assert alone["apple/train.py"][0]["cost"]["text"] == "not calibrated for mps", alone
    put("other", {"train.py": TRAIN})
    assert findings(".") == {**alone, **findings("other")}


def test_threads_change_nothing():
    three_projects()
    for form in ("json", "full", "sarif"):
        ran = [syncl(f"--threads={n}", "--no-cache", "--isolated", "--exit-zero", f"--output-format={form}", ".").raw for n in (1, 2, 8)]
        assert ran[0] == ran[1] == ran[2], form


def test_an_import_makes_one_of_two():
    three_projects()
    pathlib.Path("third", "train.py").write_text("import sys\nsys.path.append('..')\n" + TRAIN)
    before = findings(".")
    pathlib.Path("both.py").write_text("import first.train, third.train\n")
    assert set(findings(".")) == set(before)


main(sys.modules[__name__])
