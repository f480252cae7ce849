# options: --min-confidence possible
"""What goes over the modules of one that is on the GPU meets modules there, and knows them by the class that it tests."""
import torch
from torch import nn


class Quantized(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.register_buffer("largest", torch.zeros(()))

    def forward(self, x):
        self.largest = torch.maximum(self.largest, x.detach().abs().amax())
        return x * self.weight


class Network(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), Quantized(8))
        self.heads = nn.ModuleDict({task: nn.Linear(8, 2) for task in tasks})
        self.spread = nn.ParameterDict({task: nn.Parameter(torch.zeros(())) for task in tasks})
        self.bias = nn.ParameterDict()

    def forward(self, x):
        x = self.body(x)
        return {task: head(x) * torch.exp(-self.spread[task]) for task, head in self.heads.items()}

    def statistics(self):
        found = {}
        for module in self.modules():
            if isinstance(module, Quantized):
                found["largest"] = module.largest.item()  # sync: host-read certain
        for name, module in self.named_modules():
            if isinstance(module, (Quantized, nn.Linear)):
                found[name] = module.weight.abs().mean().item()  # sync: host-read certain
            elif name in found:
                found[name] = module.count
        found["spread"] = {task: torch.exp(-s).item() for task, s in self.spread.items()}  # sync: host-read certain
        found["each"] = [s.item() for s in self.spread.values()]  # sync: host-read certain
        found["bias"] = [self.bias[task].item() for task in self.spread.keys()]  # sync: host-read certain
        found["heads"] = [head.weight.norm().item() for head in self.heads.values()]  # sync: host-read certain
        return found

    def sizes(self):
        return {name: sum(p.numel() for p in module.parameters()) for name, module in self.named_children()}


def train(loader):
    network = Network(["depth", "normals"]).cuda()
    optimizer = torch.optim.Adam(network.parameters())
    for x, y in loader:
        outputs = network(x.cuda())  # sync: copy-to-device certain
        loss = sum(output.mean() for output in outputs.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(network.statistics(), network.sizes())
    kept = Network(["depth"])
    for _ in range(3):
        for module in kept.modules():
            if isinstance(module, Quantized):
                print(module.largest.item())  # sync: host-read possible
