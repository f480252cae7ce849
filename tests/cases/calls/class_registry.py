"""Classes that a decorator puts into a registry, each registry for itself, are made and called through it."""
import torch
from torch import nn


class Registry:
    def __init__(self, name):
        self.name = name
        self.items = {}

    def register(self, name=None):
        def add(thing):
            self.items[name or thing.__name__] = thing
            return thing

        return add

    def build(self, config, **kwargs):
        options = dict(config)
        return self.items[options.pop("type")](**options, **kwargs)


LOSSES, HOOKS = Registry("losses"), Registry("hooks")


@LOSSES.register("hard")
class HardLoss(nn.Module):
    def __init__(self, share=0.5):
        super().__init__()
        self.share = share

    def forward(self, logits, target):
        loss = nn.functional.cross_entropy(logits, target, reduction="none")
        return loss[loss > self.share].mean()  # sync: dynamic-shape


@LOSSES.register()
class PlainLoss(nn.Module):
    def forward(self, logits, target):
        return nn.functional.cross_entropy(logits, target)


@HOOKS.register()
class Guard:
    def after(self, runner):
        assert torch.isfinite(runner.loss), "not finite"  # sync: tensor-truth


@HOOKS.register()
class Count:
    def __init__(self):
        self.steps = 0

    def after(self, runner):
        self.steps += 1
        if self.steps > 10_000:
            raise RuntimeError("enough")


class Runner:
    def __init__(self, config, model, loader):
        self.device = torch.device(config.get("device", "cuda"))
        self.model = model.to(self.device)
        self.criterion = LOSSES.build(config["loss"]).to(self.device)
        self.hooks = [HOOKS.build(one) for one in config["hooks"]]
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = loader

    def run(self):
        for x, y in self.loader:
            self.loss = self.criterion(self.model(x.to(self.device)), y.to(self.device))  # sync: copy-to-device, copy-to-device
            self.optimizer.zero_grad()
            self.loss.backward()
            self.optimizer.step()
            for hook in self.hooks:
                hook.after(self)


if __name__ == "__main__":
    rows = torch.utils.data.TensorDataset(torch.load("x.pt"), torch.load("y.pt"))
    settings = {"loss": {"type": "hard"}, "hooks": [{"type": "Guard"}, {"type": "Count"}]}
    Runner(settings, nn.Linear(8, 8), torch.utils.data.DataLoader(rows, 32)).run()
