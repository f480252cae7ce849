# A library's module, which nothing here makes: where it is, is believed, that its buffers are tensors is not.
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, size, dim, kmeans=False, prior=None):
        super().__init__()
        self.register_buffer("initted", torch.tensor(not kmeans))
        self.register_buffer("prior", prior)
        self.frozen = kmeans
        self.embed = nn.Parameter(torch.zeros(size, dim))

    @torch.jit.ignore
    def init_embed(self, data):
        if self.initted:  # sync: tensor-truth
            return
        self.embed.data.copy_(data)

    def forward(self, x):
        self.init_embed(x)
        if not self.initted:  # sync: tensor-truth
            x = x + 1
        if self.prior:
            x = x + 2
        if self.frozen:
            x = x.detach()
        return x @ self.embed.t()
