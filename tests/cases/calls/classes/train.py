import torch
from torch import nn
from models import Meter, Net
from data import loader


def run():
    net = Net.build(32, depth=3).to("cuda")
    opt = torch.optim.Adam(net.parameters())
    meter = Meter()
    for x in loader():
        x = x.to(net.device, non_blocking=True)
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter(loss)
        print(net.mean_seen)  # sync: print-tensor


run()
