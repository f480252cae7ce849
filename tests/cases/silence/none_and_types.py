"""Tests of identity and type look at the Python object, not at the GPU."""
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, bias=True):
        super().__init__()
        self.lin = nn.Linear(dim, dim, bias=bias)
        self.cache = None

    def forward(self, x, mask=None, scale=None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        if scale is None:
            scale = 1.0
        if self.cache is None or self.cache.shape != x.shape:
            self.cache = torch.zeros_like(x)
        if isinstance(x, tuple) or not torch.is_tensor(x):
            raise TypeError(type(x))
        if self.training and self.lin.bias is not None:
            x = x + self.lin.bias
        return self.lin(x) * scale + self.cache


model = Block(16).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
mask = torch.zeros(16, dtype=torch.bool, device="cuda")
outputs = []
for step in range(10):
    y = model(torch.randn(4, 16, device="cuda"), mask=mask)
    outputs.append(y)
    if outputs and len(outputs) > 5:
        outputs = outputs[1:]
    loss = torch.stack([o.mean() for o in outputs]).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
