import torch
from torch import nn

from meters import Meter


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 4).cuda()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.loss_names = ["main", "aux"]
        self.loss_main = None
        self.loss_aux = 0
        self.losses = Meter()
        self.time = Meter()

    def step(self, x):
        out = self.net(x)
        self.loss_main = out.mean()
        self.loss_aux = out.abs().mean()
        loss = self.loss_main + self.loss_aux
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.update(loss.detach())
        return {name: float(getattr(self, f"loss_{name}")) for name in self.loss_names}  # sync: host-read

    def run(self):
        for i in range(1000):
            print(self.step(torch.randn(8, 4, device="cuda")))
            print("loss {meter.val:.4f} n {meter.n}".format(meter=self.losses))  # sync: host-read


Trainer().run()
