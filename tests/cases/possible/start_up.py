# options: --min-confidence possible
"""Start-up, loading and export run once in a run, whoever asks for what is only possible."""
import torch
from torch import nn


class Atoms(nn.Module):
    def __init__(self, numbers, device):
        super().__init__()
        self.limits = [torch.tensor(n, device=device) for n in numbers]
        self.total = sum(limit.item() for limit in self.limits)

    def forward(self, x):
        return x.max().item()  # sync: host-read


def restore(model, path):
    state = torch.load(path)
    for name, value in state.items():
        print(name, value.cpu().mean())
    model.load_state_dict(state)
    model.to("cuda")
