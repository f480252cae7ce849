"""timm-like train.py: model from a registry with **kwargs, mixup, ModelEma, distributed metrics, plateau scheduler."""
import argparse
import time
from collections import OrderedDict
from contextlib import suppress
from functools import partial

import torch
import torch.nn as nn

_models = {}


def register_model(fn):
    _models[fn.__name__] = fn
    return fn


class Net(nn.Module):
    def __init__(self, depth=2, num_classes=10, **kw):
        super().__init__()
        self.body = nn.ModuleList(nn.Linear(64, 64) for _ in range(depth))
        self.fc = nn.Linear(64, num_classes)

    def forward(self, x):
        for layer in self.body:
            x = layer(x).relu()
        return self.fc(x)


class WideNet(Net):
    pass


class DeepNet(Net):
    pass


@register_model
def net_tiny(**kwargs): return Net(depth=1, **kwargs)
@register_model
def net_small(**kwargs): return Net(depth=2, **kwargs)
@register_model
def net_base(**kwargs): return WideNet(depth=4, **kwargs)
@register_model
def net_large(**kwargs): return DeepNet(depth=8, **kwargs)


def create_model(name, **kwargs):
    fn = _models[name]
    return fn(**{k: v for k, v in kwargs.items() if v is not None})


class Mixup:
    def __init__(self, alpha):
        self.alpha = alpha

    def __call__(self, x, target):
        lam = torch.distributions.Beta(self.alpha, self.alpha).sample().item()
        perm = torch.randperm(x.size(0), device=x.device)
        return x * lam + x[perm] * (1 - lam), target


def update_summary(epoch, train_metrics, eval_metrics):
    row = OrderedDict(epoch=epoch)
    row.update([("train_" + k, v) for k, v in train_metrics.items()])
    row.update([("eval_" + k, v) for k, v in eval_metrics.items()])
    print(", ".join(f"{k}: {v:.4f}" for k, v in row.items() if k != "epoch"))


class AverageMeter:
    def __init__(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, args, amp_autocast=suppress, loss_scaler=None, mixup_fn=None):
    losses_m = AverageMeter()
    batch_time_m = AverageMeter()
    end = time.time()
    for batch_idx, (input, target) in enumerate(loader):
        if not args.prefetcher:
            input, target = input.to(args.device), target.to(args.device)  # sync: copy-to-device, copy-to-device
        if mixup_fn is not None:
            input, target = mixup_fn(input, target)
        with amp_autocast():
            output = model(input)
            loss = loss_fn(output, target)
        losses_m.update(loss.item(), input.size(0))  # sync: host-read
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()  # sync: sync-for-timer
        batch_time_m.update(time.time() - end)
        end = time.time()
    return OrderedDict([("loss", losses_m.avg)])


def validate(model, loader, loss_fn, args):
    top1_m = AverageMeter()
    losses_m = AverageMeter()
    model.eval()
    with torch.no_grad():
        for batch_idx, (input, target) in enumerate(loader):
            input = input.to(args.device)  # sync: copy-to-device
            target = target.to(args.device)  # sync: copy-to-device
            output = model(input)
            if isinstance(output, (tuple, list)):
                output = output[0]
            loss = loss_fn(output, target)
            acc1 = (output.argmax(1) == target).float().mean()
            torch.cuda.synchronize()  # sync: explicit-sync
            losses_m.update(loss.data.item(), input.size(0))  # sync: host-read
            top1_m.update(acc1.item(), output.size(0))  # sync: host-read
    return OrderedDict([("loss", losses_m.avg), ("top1", top1_m.avg)])


def main(train_set, val_set):
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="net_tiny")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--prefetcher", action="store_true", default=False)
    args = parser.parse_args()
    model = create_model(args.model, num_classes=100)
    model.to(device=args.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_fn = nn.CrossEntropyLoss().to(device=args.device)
    loader = torch.utils.data.DataLoader(train_set, 128)
    val_loader = torch.utils.data.DataLoader(val_set, 128)
    amp = partial(torch.autocast, device_type="cuda")
    for epoch in range(300):
        tm = train_one_epoch(epoch, model, loader, optimizer, loss_fn, args, amp_autocast=amp, mixup_fn=Mixup(0.8))
        em = validate(model, val_loader, loss_fn, args)
        update_summary(epoch, tm, em)
