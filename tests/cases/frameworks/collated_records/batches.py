"""Batches as a class of their own, made by a collate function."""
from dataclasses import dataclass
from typing import List

import torch
from torch.utils.data import Dataset


@dataclass
class Graphs:
    nodes: torch.Tensor
    sizes: torch.Tensor
    names: List[str]

    def to(self, device):
        return Graphs(self.nodes.to(device), self.sizes.to(device), self.names)  # sync: copy-to-device x2


class Molecules(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index]
        return torch.tensor(row["nodes"]), row["name"]


def merge(rows):
    nodes, names = zip(*rows)
    sizes = torch.tensor([len(n) for n in nodes])
    return Graphs(torch.cat(nodes), sizes, list(names))


def to_dict(rows):
    return {"nodes": torch.stack([r[0] for r in rows]), "name": [r[1] for r in rows], "count": len(rows)}
