import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from engine.events import CommonMetricPrinter
from engine.hooks import EvalHook, LRScheduler, PeriodicCheckpointer, PeriodicWriter
from engine.train_loop import AMPTrainer, SimpleTrainer
from metrics.accuracy import inference_on_dataset


class Digits(Dataset):
    def __len__(self):
        return 60000

    def __getitem__(self, i):
        return {"image": torch.rand(1, 28, 28), "label": torch.tensor(i % 10)}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
        self.register_buffer("mean", torch.tensor([0.13]).view(-1, 1, 1), False)

    @property
    def device(self):
        return self.mean.device

    def predict(self, inputs):
        return self.body(inputs["image"].to(self.device) - self.mean)  # sync: copy-to-device

    def forward(self, inputs):
        labels = inputs["label"].to(self.device)  # sync: copy-to-device
        logits = self.predict(inputs)
        return {"loss_cls": F.cross_entropy(logits, labels), "loss_reg": 1e-4 * logits.pow(2).mean()}


def infinite(loader):
    while True:
        yield from loader


def main(args):
    model = Classifier().to(torch.device("cuda"))
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.max_iter)
    loader = DataLoader(Digits(), 64, shuffle=True, num_workers=4)
    trainer = (AMPTrainer if args.amp else SimpleTrainer)(model, infinite(loader), optimizer)
    val = DataLoader(Digits(), 256, num_workers=4)
    trainer.register_hooks([
        LRScheduler(optimizer, scheduler),
        EvalHook(1000, lambda: inference_on_dataset(model, val, torch.device("cuda"))),
        PeriodicCheckpointer(model, optimizer, "out", 5000),
        PeriodicWriter([CommonMetricPrinter(args.max_iter)], period=20),
    ])
    trainer.train(0, args.max_iter)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--max-iter", type=int, default=90000)
    main(parser.parse_args())
