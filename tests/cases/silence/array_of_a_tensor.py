"""torch.from_numpy raises of a tensor: what stands behind it is not reached. What a loader gives may be an array."""
import torch
from torch.utils.data import DataLoader


def train(model, rows, optimizer):
    model.cuda()
    for row in rows:
        x = torch.tensor(row)
        x = torch.from_numpy(x.float())
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())


def train_on(model, data, optimizer):
    model.cuda()
    for x in DataLoader(data):
        loss = model(torch.from_numpy(x).cuda()).sum()  # sync: copy-to-device
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: host-read
