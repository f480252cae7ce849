"""One name that a module in sight does not have is enough: no build puts it there."""
import torch
from pkg.utils.meters import Accuracy

net = torch.nn.Linear(4, 4).cuda()


def train(loader, optimizer):
    accuracy = Accuracy()
    for batch in loader:
        loss = net(batch.cuda()).mean()
        loss.backward()
        optimizer.step()
        accuracy.update(loss.item())
