"""Tuples that are joined and cut keep what stands where: sizes beside hidden states are no tensors."""
import torch
import torch.nn as nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, hidden, size: tuple[int, int], attentions=False):
        height, width = size
        pad = (0, 0, 0, (4 - width % 4) % 4)
        hidden = self.fc(hidden)
        outputs = (hidden,) + ((hidden.softmax(-1),) if attentions else ())
        if pad[3] > 0:
            hidden = nn.functional.pad(hidden, pad)
        return (hidden,) + outputs[1:]


class Stage(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(4))

    def forward(self, hidden, size: tuple[int, int]):
        for layer in self.layers:
            layer_outputs = layer(hidden, size)
            hidden = layer_outputs[0]
        stage_outputs = (hidden, (size[0] // 2, size[1] // 2))
        stage_outputs += layer_outputs[1:]
        return stage_outputs


stages = [Stage().cuda() for _ in range(3)]
x = torch.randn(4, 8, device="cuda")
for step in range(10):
    size = (8, 8)
    for stage in stages:
        outputs = stage(x, size)
        x, size = outputs[0], outputs[1]
        if size[0] > 1:
            x = x * 2
