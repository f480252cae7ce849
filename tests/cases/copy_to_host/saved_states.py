"""What torch.save is given may hold its GPU tensors deep inside; an optimizer's state is where its parameters are."""
import torch
from torch import nn


class Saver:
    def __init__(self, optimizers, schedulers):
        self.optimizers, self.schedulers = optimizers, schedulers

    def save(self, epoch):
        state = {"epoch": epoch, "optimizers": [o.state_dict() for o in self.optimizers]}
        state["schedulers"] = [s.state_dict() for s in self.schedulers]
        torch.save(state, f"{epoch}.state")  # sync: copy-to-host note


def main(loader):
    model = nn.Linear(10, 10).cuda()
    adam = torch.optim.Adam(model.parameters(), 1e-3)
    plain = torch.optim.SGD(model.parameters(), 1e-3)
    heavy = torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9)
    still = torch.optim.SGD(model.parameters(), 1e-3, momentum=0)
    saver = Saver([adam], [torch.optim.lr_scheduler.StepLR(adam, 3)])
    for epoch in range(10):
        for x in loader:
            loss = model(x.cuda(non_blocking=True)).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
        torch.save(adam.state_dict(), "adam.pth")  # sync: copy-to-host note
        torch.save(plain.state_dict(), "plain.pth")
        torch.save(heavy.state_dict(), "heavy.pth")  # sync: copy-to-host note
        torch.save(still.state_dict(), "still.pth")
        torch.save({"a": {"b": [{"c": model.weight}]}}, "deep.pth")  # sync: copy-to-host note
        torch.save({"a": {"b": [{"c": epoch}]}}, "numbers.pth")
        saver.save(epoch)
