"""Sanity checks that were left in: each asks the GPU for an answer."""
import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        assert x.dim() == 3, x.shape
        assert not torch.isnan(x).any(), "nan in attention input"  # sync: tensor-truth
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        w = (q @ k.transpose(-1, -2)).softmax(-1)
        if mask is not None:
            w = w.masked_fill(mask, 0.0)
        assert (w >= 0).all()  # sync: tensor-truth
        return self.out(w @ v)


model = Attention(32).cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-4)
for _ in range(100):
    x = torch.randn(4, 10, 32, device="cuda")
    loss = model(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
