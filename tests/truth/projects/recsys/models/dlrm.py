import torch
import torch.nn as nn


def mlp(sizes, final_act=True):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if final_act or i < len(sizes) - 2:
            layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, cardinalities, num_dense, dim=16, bottom=(64, 32), top=(64, 32)):
        super().__init__()
        self.bags = nn.ModuleList([nn.EmbeddingBag(c, dim, mode="sum", sparse=False) for c in cardinalities])
        self.bottom = mlp([num_dense, *bottom, dim])
        n = len(cardinalities) + 1
        li, lj = zip(*[(i, j) for i in range(n) for j in range(i)])
        self.register_buffer("li", torch.tensor(li))
        self.register_buffer("lj", torch.tensor(lj))
        self.top = mlp([dim + n * (n - 1) // 2, *top, 1], final_act=False)

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        embs = [bag(sparse[:, i:i + 1]) for i, bag in enumerate(self.bags)]
        T = torch.stack([x] + embs, dim=1)
        Z = torch.bmm(T, T.transpose(1, 2))
        return self.top(torch.cat([x, Z[:, self.li, self.lj]], dim=1)).squeeze(1)
