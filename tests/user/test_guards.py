#!/usr/bin/env python3
"""How often a line runs, as every format tells it."""
import sys
from bench import *

GATHERED = """import torch
from torch.utils.data import DataLoader

model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, x in enumerate(DataLoader(torch.randn(64, 64))):
    loss = model(x.cuda()).mean()
    loss.backward()
    print(loss.item())
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())
"""


def told(text, *args, status=1):
    write("train.py", text)
    return syncl("--output-format=json", "--isolated", *args, "train.py", status=status).json


def test_the_turn_of_an_accumulating_loop_is_a_batch():
    """What stands beside the optimizer's step runs every training step, four turns of a loop that is priced by the batch."""
    ran = told(GATHERED)
    before, beside = [f for f in ran["findings"] if f["rule"] == "host-read"]
    same((before["frequency"]["unit"], before["frequency"]["text"]), ("batch", "every batch"))
    same((beside["frequency"]["unit"], beside["frequency"]["text"]), ("step", "every training step"))
    same([loop["unit"] for loop in ran["loops"]], ["batch"])
    holds(ran["loops"][0]["name"], "batch of `for i, x in enumerate")
    holds(beside["cost"]["text"], "per training step")


main(sys.modules[__name__])
