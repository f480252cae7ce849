"""The backward pass and the optimizer's step stand in a hook: the step is the loader's loop, not the loop over hooks."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from hooks import CheckNaN, OptimizerHook


class Fake(Dataset):
    def __len__(self):
        return 256

    def __getitem__(self, i):
        return dict(img=torch.randn(3, 32, 32), label=torch.tensor(i % 7))


class Runner:
    def __init__(self, model, hooks):
        self.device = torch.device("cuda")
        self.model = model.to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.hooks, self.norms, self.epoch = hooks, [], 0

    def call_hook(self, name, **kw):
        for hook in self.hooks:
            getattr(hook, name)(self, **kw)

    def train_step(self, batch):
        batch = {k: v.to(self.device) for k, v in batch.items()}  # sync: copy-to-device
        loss = F.cross_entropy(self.model(batch["img"]), batch["label"])
        return dict(loss=loss, log=loss.item())  # sync: host-read

    def train(self, loader):
        total = 0.0
        for batch in loader:
            outputs = self.train_step(batch)
            total += outputs["log"]
            self.call_hook("after_train_iter", outputs=outputs)
        self.epoch += 1

    def run(self, loader, epochs):
        self.call_hook("before_run")
        while self.epoch < epochs:
            self.train(loader)


def main():
    model = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 7))
    runner = Runner(model, [OptimizerHook(dict(max_norm=5)), CheckNaN()])
    runner.run(DataLoader(Fake(), 32), 2)


if __name__ == "__main__":
    main()
