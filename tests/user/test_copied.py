#!/usr/bin/env python3
"""A copy of known shape has its own bytes, whichever way it goes."""
import sys
from bench import *

LOOP = """import torch

weights = torch.randn(1024, 1024, device="cuda", requires_grad=True)
for step in range(1000):
    out = {made}
    kept = out{copied}
"""


def copied(made, call=".cpu()"):
    pathlib.Path("train.py").write_text(LOOP.format(made=made, copied=call))
    events = syncl("--isolated", "--dump=events", "train.py").out
    return [line.split(" copied ")[1].split(",")[0].split(" of ")[0] for line in events.splitlines() if " copied " in line]


def price(made):
    pathlib.Path("train.py").write_text(LOOP.format(made=made, copied=".cpu()"))
    cost = syncl("--isolated", "--exit-zero", "--output-format=json", "train.py").json["findings"][0]["cost"]
    return cost["low_us"], cost["high_us"]


SAVED = """import torch
model = torch.nn.Sequential(torch.nn.Linear(1024, 1024), torch.nn.Linear(1024, 10)).cuda()
adam = torch.optim.AdamW(model.parameters())
sgd = torch.optim.SGD(model.parameters(), momentum=0.9)
for i in range(1000):
    model(torch.randn(64, 1024, device="cuda")).sum().backward()
    adam.step()
    if i %% 100 == 0:
        torch.save(%s, "kept.pt")
"""


def test_bytes_of_what_is_saved():
    """Of a model its 1,059,850 parameters, of an optimizer what it keeps for each of them."""
    for saved, copies in (("model.state_dict()", "4.239e+06"), ("{'net': model.state_dict(), 'step': i, 'name': 'x'}", "4.239e+06"),
                          ("[model.state_dict(), adam.state_dict()]", "1.272e+07"), ("sgd.state_dict()", "4.239e+06"), ("{'at': sgd, 'net': model.state_dict()}", "4.239e+06..inf")):
        pathlib.Path("train.py").write_text(SAVED % saved)
        found = [line.split(" copied ")[1].split(",")[0] for line in syncl("--isolated", "--dump=events", "train.py").out.splitlines() if "copy to host" in line]
        same((saved, found[-1:]), (saved, [copies]))


def test_bytes_to_the_cpu():
    same(copied("weights @ weights"), ["4.194e+06"])
    same(copied("weights @ weights", ".half().cpu()"), ["2.097e+06"])
    same(copied("weights @ weights", ".sum(0).cpu()"), ["4096"])
    same(copied("weights @ weights", ".argmax(1).cpu().numpy()"), ["8192"])
    same(copied("(weights @ weights).long()", ".to(torch.uint8).cpu()"), ["1.049e+06"])
    same(set(copied("weights @ weights", ".to('cpu', torch.float16)")), {"2.097e+06"})
    same(set(copied("weights @ weights", ".to(device='cpu', dtype=torch.float64)")), {"8.389e+06"})
    same(copied("make(weights)"), ["0..inf"])


UPLOADS = """import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

options = argparse.ArgumentParser()
options.add_argument("--cuda", action="store_true")
options = options.parse_args()
weights = torch.randn(8, 8, device="cuda")
batches = iter(DataLoader(TensorDataset(torch.randn(100, 8), torch.zeros(100, dtype=torch.long)), batch_size=16))
kept = [{"a": torch.randn(4, 8), "b": torch.zeros(3)} for _ in range(4)]
for step in range(1000):
    a = kept[step % 4]["a"].cuda()
    x, y = next(batches)
    if options.cuda:
        x = x.cuda()
    y, z = y.to(weights.device), torch.rand(len(x), 4, dtype=torch.float64).type_as(weights)
    half = torch.rand(len(x), 4).to(weights.device, torch.float16)
    print((weights @ x.T).sum().item())
"""


def test_bytes_to_the_gpu():
    """What crosses the bus has its new type already; a branch that an option opens counts by its own line."""
    pathlib.Path("train.py").write_text(UPLOADS)
    same([line.split(" copied ")[1].split(",")[0] for line in syncl("--isolated", "--dump=events", "train.py").out.splitlines() if "copy to GPU" in line],
         ["128", "512", "128", "256", "128"])


IN_ORDER = """import torch
torch.backends.cuda.matmul.allow_tf32 = True
x, w = torch.randn(4096, 4096, device="cuda"), torch.randn(4096, 4096, device="cuda")
for step in range(1000):
    small = torch.rand(8, device="cuda")
    small = torch.sin(small)
    large = torch.cos(x @ w)
    small = torch.sin(small)
    print(small.sum().item())
"""


def test_operations_keep_their_order():
    pathlib.Path("train.py").write_text(IN_ORDER)
    line = next(line for line in syncl("--isolated", "--dump=events", "train.py").out.splitlines() if "operations" in line)
    same([part.strip() for part in line.split(" of ", 1)[1].split("  ")[0].split(";")],
         ["moves float 1 bytes 32", "moves float 1 bytes 64", "gemm float tf32 1 flops 1.374e+11 bytes 2.013e+08 least 4096", "moves float 0.9", "moves float 1 bytes 1.342e+08",
          "moves float 1 bytes 64", "moves float 1 bytes 36"])


def test_the_price_follows_them():
    small, large = price("(weights @ weights).sum(0)"), price("torch.cat([weights @ weights] * 16)")
    assert 2 * small[1] < large[0] < large[1] < 600 * small[1], (small, large)  # 64 MB, to memory that is new each time


main(sys.modules[__name__])
