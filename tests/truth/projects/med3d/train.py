import argparse
import json
import os
import random
import time

import numpy as np
import torch
from torch.utils.data import DataLoader

from config import Config
from dataset import PatchDataset, VolumeStore
from inference import sliding_window_inference
from losses import DeepSupervision, DiceCELoss
from metrics import CaseMetrics, keep_largest
from unet3d import UNet3D


class Log:
    def __init__(self, path):
        self.f = open(path, "w")

    def __call__(self, *a):
        msg = time.strftime("%H:%M:%S ") + " ".join(str(x) for x in a)
        print(msg)
        self.f.write(msg + "\n")
        self.f.flush()


def poly_lr(epoch, max_epochs, initial_lr, exponent=0.9):
    return initial_lr * (1 - epoch / max_epochs) ** exponent


class SegTrainer:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        os.makedirs(cfg.out_dir, exist_ok=True)
        random.seed(cfg.seed), np.random.seed(cfg.seed), torch.manual_seed(cfg.seed)
        self.log = Log(os.path.join(cfg.out_dir, "training_log.txt"))
        self.device = torch.device("cuda:0")
        nc = len(cfg.classes)
        self.train_store = VolumeStore(cfg.n_train, cfg.volume_shape, 0)
        self.val_store = VolumeStore(cfg.n_val, cfg.volume_shape, 1)
        self.loader = DataLoader(PatchDataset(self.train_store, cfg.patch_size, cfg.samples_per_volume, cfg.fg_ratio),
                                 batch_size=cfg.batch_size, shuffle=True, pin_memory=False)
        self.model = UNet3D(1, nc, cfg.base_channels, deep_supervision=cfg.deep_supervision).to(self.device)
        weight = torch.tensor([0.5, 1.0, 2.0], device=self.device)
        self.criterion = DeepSupervision(DiceCELoss(nc, ce_weight=weight))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=cfg.lr, momentum=0.99, nesterov=True, weight_decay=3e-5)
        self.scaler = torch.amp.GradScaler("cuda")
        self.all_tr_losses, self.all_val = [], []
        self.val_eval_criterion_MA, self.best_MA = None, -1

    def run_iteration(self, batch):
        x = batch["image"].to(self.device)
        y = batch["label"].to(self.device)
        self.opt.zero_grad()
        with torch.amp.autocast("cuda"):
            out = self.model(x)
            loss, parts = self.criterion(out, y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 12)
        self.scaler.step(self.opt)
        self.scaler.update()
        with torch.no_grad():
            pred = out[0].argmax(1)
            tp = torch.stack([((pred == c) & (y == c)).sum() for c in range(1, len(self.cfg.classes))])
            den = torch.stack([(pred == c).sum() + (y == c).sum() for c in range(1, len(self.cfg.classes))])
        return loss.detach().cpu().numpy(), {k: v.item() for k, v in parts.items()}, tp.cpu().numpy(), den.cpu().numpy()

    def train_epoch(self, epoch):
        self.model.train()
        lr = poly_lr(epoch, self.cfg.epochs, self.cfg.lr)
        for g in self.opt.param_groups:
            g["lr"] = lr
        losses, tps, dens = [], 0, 0
        for i, batch in enumerate(self.loader):
            loss, parts, tp, den = self.run_iteration(batch)
            losses.append(loss)
            tps, dens = tps + tp, dens + den
            if i % 4 == 0:
                self.log(f"  it {i}: loss {loss:.4f}", {k: round(v, 4) for k, v in parts.items()})
        self.all_tr_losses.append(float(np.mean(losses)))
        pseudo = 2 * tps / np.maximum(dens, 1)
        self.log(f"epoch {epoch}: train loss {self.all_tr_losses[-1]:.4f}, pseudo dice {pseudo.round(3).tolist()}, lr {lr:.5f}")

    def validate(self, epoch, export=False):
        cfg = self.cfg
        self.model.eval()
        metrics = CaseMetrics(cfg.classes, cfg.spacing)
        for case in self.val_store.cases:
            t0 = time.time()
            vol = torch.from_numpy(case["img"])[None]
            with torch.amp.autocast("cuda"):
                prob = sliding_window_inference(vol, cfg.patch_size, cfg.sw_batch_size, self.model, len(cfg.classes),
                                                cfg.overlap, cfg.tta)
            pred = prob.argmax(0).cpu().numpy().astype(np.uint8)
            pred[(pred > 0) & ~keep_largest(pred > 0)] = 0
            metrics.add(case["id"], pred, case["seg"])
            if export:
                np.savez_compressed(os.path.join(cfg.out_dir, case["id"] + ".npz"), pred=pred,
                                    prob=prob.half().cpu().numpy())
            self.log(f"  {case['id']}: {time.time() - t0:.2f}s", {k: round(float(v), 3) for k, v in metrics.rows[-1].items() if k != "id"})
        mean = metrics.mean()
        self.all_val.append(mean)
        score = np.mean([v for k, v in mean.items() if k.startswith("dice")])
        self.val_eval_criterion_MA = score if self.val_eval_criterion_MA is None else \
            0.7 * self.val_eval_criterion_MA + 0.3 * score
        self.log(f"validation epoch {epoch}:", {k: round(v, 4) for k, v in mean.items()})
        if self.val_eval_criterion_MA > self.best_MA:
            self.best_MA = self.val_eval_criterion_MA
            self.save("model_best.model", epoch)
        return mean

    def save(self, name, epoch):
        sd = self.model.state_dict()
        for k in sd.keys():
            sd[k] = sd[k].cpu()
        torch.save({"epoch": epoch, "state_dict": sd, "optimizer": self.opt.state_dict(), "scaler": self.scaler.state_dict(),
                    "plot_stuff": (self.all_tr_losses, self.all_val)}, os.path.join(self.cfg.out_dir, name))

    def load(self, name):
        ck = torch.load(os.path.join(self.cfg.out_dir, name), map_location=self.device, weights_only=False)
        self.model.load_state_dict(ck["state_dict"])
        return ck["epoch"]

    def run(self):
        t0 = time.time()
        for epoch in range(self.cfg.epochs):
            self.train_epoch(epoch)
            if (epoch + 1) % self.cfg.val_every == 0:
                self.validate(epoch)
            self.save("model_latest.model", epoch)
        best = self.load("model_best.model")
        self.log("best epoch", best)
        final = self.validate(best, export=True)
        with open(os.path.join(self.cfg.out_dir, "summary.json"), "w") as f:
            json.dump({"mean": final, "config": self.cfg.dump(), "seconds": time.time() - t0}, f, indent=1)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--no_tta", action="store_true")
    a = ap.parse_args()
    SegTrainer(Config(epochs=a.epochs, tta=not a.no_tta)).run()
