"""Twenty results at once keep what stands where: the list among them holds numbers, no tensors."""
import torch


def make(device):
    x = torch.zeros(3, 4, device=device)
    groups = [[0, 1], [2, 3]]
    return x, x, x, x, x, x, x, x, x, x, x, x, x, x, groups, x, x, x, x, x


for batch in range(100):
    x, _, _, _, _, _, _, _, _, _, _, _, _, _, groups, _, _, _, _, last = make("cuda")
    mine = [group for group in groups if 1 in group]
    for i in mine[0]:
        x[:, i] = 1
    if last.sum() > 0:  # sync: tensor-truth
        x[0] = 2
