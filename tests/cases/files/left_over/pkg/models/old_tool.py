"""The names that it asks for are not there any more."""
import torch
from pkg.utils.meters import RunningMeter, make_meters

net = torch.nn.Linear(4, 4).cuda()


def train(loader, optimizer):
    for batch in loader:
        loss = net(batch.cuda()).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
