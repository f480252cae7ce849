"""A loop whose body always leaves it has one turn: what it does is done once, however long the iterable is."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader


class Guide(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = None
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


def fit(dataset, epochs):
    model = Guide().cuda()
    opt = torch.optim.Adam(model.parameters())
    loader = DataLoader(dataset, batch_size=32)
    for x, y in loader:
        x = x.cuda()
        model(x)
        print(x.mean().item())
        break
    first = None
    while True:
        first = next(iter(loader))[0].cuda()
        if first.shape[0] == 32:
            break
        else:
            raise ValueError(first.sum().item())
    for epoch in range(epochs):
        for x, y in loader:
            x = x.cuda()  # sync: copy-to-device
            y = y.cuda()  # sync: copy-to-device
            for scale in (1.0, 0.5):
                print(x.max().item())  # sync: host-read
                break
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        for x, y in loader:
            if len(x) < 32:
                continue
            print(model(x.cuda()).mean().item())  # sync: copy-to-device, host-read
            break


fit(torch.utils.data.TensorDataset(torch.randn(320, 8), torch.randint(0, 8, (320,))), 10)
