#!/usr/bin/env python3
"""What one script of a folder sets holds for itself and for what it imports, not for the scripts beside it."""
import sys
from bench import *

HELPER = """import torch
import torch.distributed as dist


def save(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()
"""

SCRIPT = """import torch
import torch.distributed as dist
from NAME import save


def main(loader):
    dist.init_process_group(BACKEND)
    model = torch.nn.Linear(8, 8).cuda()
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).mean().backward()
        save(model, f"epoch{epoch}.pt")
        dist.barrier()


main(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 8))))
"""


def program(name, backend):
    write(f"{name}.py", HELPER)
    write(f"train_{name}.py", SCRIPT.replace("NAME", name).replace("BACKEND", backend))


def test_a_script_switches_off_what_it_imports():
    program("first", '"cuda:nccl,cpu:gloo"')
    program("second", '"nccl"')
    found = syncl("--output-format=json", "--select=library-wait", "--min-confidence=possible", ".").json["findings"]
    where = {(f["file"].split("/")[-1], f["confidence"]) for f in found}
    same(where, {("second.py", "likely"), ("train_second.py", "certain")})  # second.py names no device itself


main(sys.modules[__name__])
