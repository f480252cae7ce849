"""The batches of a TensorDataset are where its tensors are: moving what is on the GPU already copies nothing."""
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split


def features(model, loader):
    feats, targets = [], []
    with torch.no_grad():
        for x, y in loader:
            feats.append(model(x.cuda()))  # sync: copy-to-device
            targets.append(y.cuda())  # sync: copy-to-device
    return TensorDataset(torch.cat(feats), torch.cat(targets))


def head(model, loader):
    model.cuda()
    again = DataLoader(features(model, loader), batch_size=4, shuffle=True)
    for x, y in again:
        loss = (model(x.cuda()) - y.cuda()).sum()
        loss.backward()


def mixed(model):
    x = torch.randn(100, 3, device="cuda")
    y = torch.zeros(100)
    for a, b in DataLoader(TensorDataset(x, y), batch_size=4, shuffle=True):
        a, b = a.cuda(), b.cuda()  # sync: copy-to-device
        model(a, b).sum().backward()
    part, rest = random_split(TensorDataset(x, x * 2), [50, 50])
    for a, b in DataLoader(part, batch_size=4):
        model(a.cuda(), b.cuda()).sum().backward()


def on_the_host(model, x: torch.Tensor, y: torch.Tensor):
    for batch in DataLoader(TensorDataset(torch.zeros(100), torch.ones(100)), batch_size=4):
        a, b = [t.cuda() for t in batch]  # sync: copy-to-device
        model(a, b).sum().backward()
    for a, b in DataLoader(TensorDataset(x, y), batch_size=4):
        model(a.cuda(), b).sum().backward()  # sync: copy-to-device
