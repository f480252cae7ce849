import torch
from torch import nn


class TopKReadout(nn.Module):
    def __init__(self, channels, ratio=0.5):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels))
        self.ratio = ratio

    def forward(self, x, batch):
        score = (x * self.weight).sum(-1)
        num_graphs = int(batch.max()) + 1  # sync: host-read
        keep = []
        for g in range(num_graphs):
            nodes = (batch == g).nonzero(as_tuple=False).view(-1)  # sync: dynamic-shape
            k = max(1, int(self.ratio * nodes.numel()))
            top = score[nodes].topk(k).indices
            keep.append(nodes[top])
        keep = torch.cat(keep)
        return x[keep], batch[keep]
