"""`**options` of unknown keys: what has a truth value or number by default is passed one, if anything."""
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Parameter(torch.randn(64, 16))

    def forward(self, x, mask=None, freeze=False, ema_update=None, topk=1):
        if freeze:
            x = x.detach()
        if self.training and not freeze:
            x = x * 1.0
        for _ in range(topk):
            x = x + self.embed[0]
        if mask is not None:
            x = x[mask]  # sync: dynamic-shape
        return x


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Codebook() for _ in range(4)])

    def forward(self, x, **options):
        for layer in self.layers:
            x = layer(x, **options)
        return x


model = Residual().cuda()
optimizer = torch.optim.Adam(model.parameters())
loader = torch.utils.data.DataLoader(torch.randn(512, 16), pin_memory=True)
for batch in loader:
    batch = batch.cuda(non_blocking=True)
    keep = batch[:, 0] > 0
    options = {name: keep for name in ["mask"]}
    loss = model(batch, **options).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def basis(formula, device=None, **dims):
    return torch.zeros(sum(dims.values()), len(formula), device=device)


def degenerate(formula, sizes):
    """Keys that nobody knows go where a function gathers them: they say nothing of its device."""
    grid = basis(formula, **{name: len(size) for name, size in sizes.items()})
    values, vectors = torch.linalg.eigh(grid @ grid.T)
    return vectors[:, values < 1e-6]
