"""What nobody calls or mentions in a program does not run: only its own scripts import its modules."""
import torch

import losses
from engine import Distiller
from helpers import Meter, smooth
from net import Net


class Logger:
    def __init__(self):
        self.kept = torch.zeros((), device="cuda")

    def add(self, value):
        self.kept = self.kept + value

    def total(self):
        return self.kept.item()

    def peak(self):
        return self.kept.max().item()  # sync: host-read


def main(args):
    net = Net().cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    logger, meter = Logger(), Meter()
    criterion = getattr(losses, args.loss)
    for x, y in torch.utils.data.DataLoader(torch.load("data.pt")):
        loss = criterion(net(x.cuda()), y.cuda())  # sync: copy-to-device x2
        opt.zero_grad()
        loss.backward()
        opt.step()
        logger.add(loss.detach())
        meter.update(smooth(loss.detach()))
    Distiller(net, opt).fit(torch.utils.data.DataLoader(torch.load("more.pt")))
    print({"peak": logger})


if __name__ == "__main__":
    from parse import arguments

    main(arguments())
