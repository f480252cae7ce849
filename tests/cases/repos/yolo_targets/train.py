import logging
import numpy as np
import torch
import yaml
from torch.utils.data import DataLoader
from tqdm import tqdm

import val
from loss import ComputeLoss
from models import DetectionModel

LOGGER = logging.getLogger("yolo")


class Callbacks:
    def __init__(self):
        self._callbacks = {"on_train_batch_end": [], "on_fit_epoch_end": []}

    def register_action(self, hook, callback):
        self._callbacks[hook].append(callback)

    def run(self, hook, *args, **kwargs):
        for cb in self._callbacks[hook]:
            cb(*args, **kwargs)


class Loggers:
    def __init__(self, every=50):
        self.every = every
        self.history = []

    def on_train_batch_end(self, ni, imgs, mloss):
        if ni % self.every == 0:
            self.history.append(mloss.tolist())  # sync: host-read note

    def on_fit_epoch_end(self, vals, epoch):
        LOGGER.info("epoch %d: %s", epoch, vals)  # sync: print-tensor note


def train(hyp, opt, device, callbacks):
    model = DetectionModel(opt.cfg).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=hyp["lr0"], momentum=0.937)
    loader = DataLoader(opt.dataset, opt.batch_size, shuffle=True, num_workers=8, pin_memory=True, collate_fn=opt.dataset.collate_fn)
    nb = len(loader)
    scaler = torch.cuda.amp.GradScaler()
    compute_loss = ComputeLoss(model, hyp)
    for epoch in range(opt.epochs):
        mloss = torch.zeros(3, device=device)
        pbar = enumerate(loader)
        pbar = tqdm(pbar, total=nb)
        for i, (imgs, targets, paths, _) in pbar:
            ni = i + nb * epoch
            imgs = imgs.to(device, non_blocking=True).float() / 255
            with torch.cuda.amp.autocast():
                pred = model(imgs)
                loss, loss_items = compute_loss(pred, targets.to(device))  # sync: copy-to-device
            scaler.scale(loss).backward()
            if ni % 2 == 0:
                scaler.step(optimizer)  # sync: grad-scaler
                scaler.update()
                optimizer.zero_grad()
            mloss = (mloss * i + loss_items) / (i + 1)
            mem = f"{torch.cuda.memory_reserved() / 1e9:.3g}G"
            pbar.set_description(("%11s" * 2 + "%11.4g" * 5) % (f"{epoch}/{opt.epochs}", mem, *mloss, targets.shape[0], imgs.shape[-1]))  # sync: host-read
            callbacks.run("on_train_batch_end", ni, imgs, mloss)
        results, stats = val.run(model, loader, device, compute_loss)
        callbacks.run("on_fit_epoch_end", mloss, epoch)


def main(opt):
    device = torch.device("cuda:0")
    callbacks = Callbacks()
    loggers = Loggers()
    for name in ("on_train_batch_end", "on_fit_epoch_end"):
        callbacks.register_action(name, callback=getattr(loggers, name))
    hyp = yaml.safe_load(open(opt.hyp))
    train(hyp, opt, device, callbacks)
