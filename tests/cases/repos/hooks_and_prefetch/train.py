import torch
from torch import nn

from prefetch import Prefetcher
from spy import Spy
from torch.utils.data import DataLoader


def main():
    from mydata import Images

    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 30 * 30, 10)).cuda()
    spy = Spy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(Images(), batch_size=8, pin_memory=True)
    for epoch in range(3):
        prefetcher = Prefetcher(loader)
        x, y = prefetcher.next()
        i = 0
        while x is not None:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if i % 20 == 0:
                print(i, loss.item(), spy.stats)  # sync: host-read note
            x, y = prefetcher.next()
            i += 1


main()
