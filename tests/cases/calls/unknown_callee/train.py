import torch
from torch import nn
from torch.utils.data import DataLoader

from somelib.engine import Runner
from dataset import make_loader


def train_step(model, batch, optimizer):
    x, y = batch
    x = x.cuda(non_blocking=True)
    y = y.cuda(non_blocking=True)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item()}  # sync: host-read


def main():
    model = nn.Linear(16, 4).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    runner = Runner(train_step, epochs=3)
    runner.run(model, make_loader(), optimizer)


main()
