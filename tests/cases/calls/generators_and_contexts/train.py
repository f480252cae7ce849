import torch
from torch import nn
from torch.utils.data import DataLoader

from mydata import Images
from utils import Scope, prefetch, timed


def main():
    device = torch.device("cuda")
    model = nn.Conv2d(3, 8, 3).to(device)
    opt = torch.optim.SGD(model.parameters(), 0.1)
    loader = DataLoader(Images(), batch_size=8, pin_memory=True)
    log = {}
    for batch in prefetch(loader, device):
        with timed("forward", log), Scope(model) as net:
            out = net(batch["image"])
            loss = (out.mean(dim=(1, 2, 3)) - batch["target"]).abs().mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        log["loss"] = loss.detach().cpu().numpy()  # sync: copy-to-host


main()
