"""Hooks of several events stand in one table; an event calls those that take what it gives."""
import torch


class Hooks:
    def __init__(self):
        self.table = {}

    def register(self, event, hook):
        self.table.setdefault(event, []).append(hook)

    def run(self, event, *args, **kwargs):
        for hook in self.table[event]:
            hook(*args, **kwargs)


class Printer:
    def __init__(self, every):
        self.every = every

    def each_iteration(self, step, loss):
        if step % self.every == 0:
            print(step, loss.item())  # sync: host-read note

    def each_epoch(self, losses):
        if losses.mean() > 10:  # sync: tensor-truth note
            print("diverged")


def run(loader, model, optimizer):
    hooks, printer = Hooks(), Printer(50)
    for name in ("iteration", "epoch"):
        hooks.register(name, getattr(printer, "each_" + name))
    for epoch in range(10):
        losses = []
        for step, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())  # sync: copy-to-device, copy-to-device
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
            hooks.run("iteration", step, loss.detach())
        hooks.run("epoch", torch.stack(losses))


net = torch.nn.Linear(8, 8).cuda()
run(torch.utils.data.DataLoader(torch.load("data.pt"), 32), net, torch.optim.SGD(net.parameters(), lr=0.1))
