"""A module that is kept for the next time is moved once, so moving it each time is likely a copy at most."""
import torch
from torch import nn
from torch.utils.data import DataLoader

ENCODERS = {}


def encoder_of(name):
    if name not in ENCODERS:
        ENCODERS[name] = dict()
    if "model" not in ENCODERS[name]:
        ENCODERS[name]["model"] = nn.Linear(16, 16)
    return ENCODERS[name]["model"]


def encode(rows, name="base"):
    encoder = encoder_of(name)
    encoder = encoder.cuda()  # sync: copy-to-device likely
    return encoder(rows)


def train(dataset):
    head = nn.Linear(16, 1).cuda()
    optimizer = torch.optim.SGD(head.parameters(), 0.1)
    for rows in DataLoader(dataset, batch_size=8):
        rows = rows.cuda()  # sync: copy-to-device certain
        loss = head(encode(rows)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(torch.utils.data.TensorDataset(torch.randn(64, 16)))
