"""Which method runs is named by an option: the others need another name."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sampler:
    def __init__(self, way="plain"):
        self.take = getattr(self, f"take_{way}")

    def take_plain(self, x):
        return x

    def take_masked(self, x):  # nobody asks for it
        return x[x > 0]


class Trainer:
    def __init__(self, model, mode):
        self.model, self.mode = model, mode
        self.reduce = getattr(self, "reduce_" + mode)

    def reduce_mean(self, x):
        return x.mean()

    def reduce_hard(self, x):
        return x.topk(int(x.sum())).values.mean()  # sync: host-read note

    def loss_mean(self, x):
        return x.mean()

    def loss_hard(self, x):
        return x[x > 0].mean()  # sync: dynamic-shape note

    def step(self, x, by="norm"):
        loss = getattr(self, f"loss_{self.mode}")(x) + self.reduce(x)
        return loss * getattr(self, "scale_" + by)(x)

    def scale_norm(self, x):
        return x.norm()

    def scale_count(self, x):
        return x.nonzero().size(0)


parser = argparse.ArgumentParser()
parser.add_argument("--mode", choices=["mean", "hard"], default="mean")
args = parser.parse_args()
model = nn.Linear(8, 8).cuda()
sampler, trainer = Sampler(), Trainer(model, args.mode)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x, y in DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 8)), batch_size=8, pin_memory=True):
    x = x.cuda(non_blocking=True)
    loss = trainer.step(sampler.take(model(x)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
