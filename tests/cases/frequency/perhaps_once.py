"""A loop over devices tries each once; a small loop, or one over a model's parts, may run once: likely at most."""
import torch
from torch import nn


def usable(count):
    found = []
    for index in range(count):
        torch.tensor(0, device=torch.device("cuda", index))
        found.append(index)
    for index in range(count):
        print(torch.rand(2, 3).to(torch.device(f"cuda:{index}")))
    for name in ("a", "b"):
        print(name, torch.rand(2, 3).cuda())  # sync: copy-to-device likely, print-tensor likely
    return found


class Group:
    def __init__(self, modules):
        self.modules = modules
        self.copies = {p: self.keep(p) for m in self.modules for p in m.parameters()}

    def keep(self, parameter):
        return parameter.data.cpu().pin_memory()


def offload(model: nn.Module):
    model.cuda()
    groups = []
    for name, module in model.named_modules():
        groups.append(Group([module]))
    return groups


def send(loader, rank):
    model = nn.Linear(8, 8).to(rank)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        model(x.to(int(rank))).sum().backward()  # sync: copy-to-device likely
        opt.step()


def sweep(steps):
    x = torch.rand(64, 64, device="cuda")
    for step in range(steps):
        x = x @ x
        print(x.sum().item())  # sync: host-read likely


sweep(10)

__all__ = ["usable", "send"]
