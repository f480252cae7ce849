# A counter of an enclosing function: its slot is of that function's locals, and must not be looked up in this one's.
import torch
from torch import nn


def train(model: nn.Module, loader, total: int, name: str, extra: int, more: int, still: int, last_of_many: int):
    model = model.cuda()
    turn = 0

    def report(loss):
        if turn == 0:
            print(loss.item())  # sync: host-read

    for images, labels in loader:
        loss = nn.functional.cross_entropy(model(images.cuda()), labels.cuda())  # sync: copy-to-device, copy-to-device
        loss.backward()
        report(loss)
        turn += 1
