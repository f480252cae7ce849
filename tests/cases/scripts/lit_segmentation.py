"""Segmentation as a LightningModule with torchmetrics, manual optimisation of a GAN head, a callback and EMA."""
import copy

import lightning.pytorch as pl
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchmetrics
import torchvision
import wandb
from lightning.pytorch.callbacks import Callback, ModelCheckpoint
from lightning.pytorch.loggers import WandbLogger
from torch.utils.data import DataLoader, Dataset
from torchmetrics.classification import MulticlassJaccardIndex


class Tiles(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.rand(3, 256, 256), torch.randint(0, 6, (256, 256))


class WeightEMA(Callback):
    def __init__(self, decay=0.999):
        self.decay = decay
        self.ema = None

    def on_fit_start(self, trainer, pl_module):
        self.ema = copy.deepcopy(pl_module.net).eval()

    @torch.no_grad()
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        for e, p in zip(self.ema.state_dict().values(), pl_module.net.state_dict().values()):
            if e.dtype.is_floating_point:
                e.mul_(self.decay).add_(p, alpha=1 - self.decay)
        if batch_idx % 200 == 0:
            drift = sum((e - p).abs().sum() for e, p in zip(self.ema.parameters(), pl_module.net.parameters()))
            print(f"ema drift {drift.item():.3f}")  # sync: host-read note


class ImageLogger(Callback):
    def __init__(self, every=500):
        self.every = every

    def on_validation_batch_end(self, trainer, pl_module, outputs, batch, batch_idx, dataloader_idx=0):
        if batch_idx:
            return
        x, y = batch
        pred = pl_module(x).argmax(1)
        grid = torchvision.utils.make_grid(x[:4])
        trainer.logger.experiment.log({
            "images": wandb.Image(grid.permute(1, 2, 0).cpu().numpy()),  # sync: copy-to-host
            "pred": [wandb.Image(p.float().cpu().numpy()) for p in pred[:4]],  # sync: copy-to-host
        })


class Segmenter(pl.LightningModule):
    def __init__(self, num_classes=6, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.net = torchvision.models.segmentation.fcn_resnet50(num_classes=num_classes)
        self.disc = nn.Sequential(nn.Conv2d(num_classes, 64, 4, 2), nn.LeakyReLU(0.2), nn.Conv2d(64, 1, 4, 2))
        self.train_acc = torchmetrics.Accuracy(task="multiclass", num_classes=num_classes)
        self.val_iou = MulticlassJaccardIndex(num_classes)
        self.class_counts = np.zeros(num_classes)
        self.losses = []

    def forward(self, x):
        return self.net(x)["out"]

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt_g, opt_d = self.optimizers()
        logits = self(x)
        ce = F.cross_entropy(logits, y)
        adv = F.softplus(-self.disc(logits.softmax(1))).mean()
        self.toggle_optimizer(opt_g)
        opt_g.zero_grad()
        self.manual_backward(ce + 0.01 * adv)
        self.clip_gradients(opt_g, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
        opt_g.step()
        self.untoggle_optimizer(opt_g)
        real = F.one_hot(y, self.hparams.num_classes).permute(0, 3, 1, 2).float()
        d_loss = F.softplus(-self.disc(real)).mean() + F.softplus(self.disc(logits.detach().softmax(1))).mean()
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        opt_d.step()
        self.train_acc(logits.argmax(1), y)
        self.log("train/acc", self.train_acc, on_step=True, on_epoch=True)
        self.log_dict({"train/ce": ce, "train/d": d_loss}, prog_bar=True)
        self.losses.append(ce.item())  # sync: host-read
        self.class_counts += torch.bincount(y.flatten(), minlength=6).cpu().numpy()  # sync: copy-to-host, dynamic-shape

    def on_train_epoch_end(self):
        print("mean", np.mean(self.losses), self.class_counts)
        self.losses.clear()

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        loss = F.cross_entropy(logits, y)
        self.val_iou.update(logits.argmax(1), y)  # sync: library-wait
        self.log("val/loss", loss, sync_dist=True)
        return {"loss": loss, "worst": loss.max()}

    def on_validation_epoch_end(self):
        iou = self.val_iou.compute()
        self.print(f"val iou {iou:.4f}")  # sync: host-read note
        if iou > 0.8:  # sync: tensor-truth note
            self.print("good enough")
        self.log("val/iou", iou)
        self.val_iou.reset()

    def predict_step(self, batch, batch_idx, dataloader_idx=0):
        x, _ = batch
        probs = self(x).softmax(1)
        return probs.max(1)[0].mean(dim=(1, 2)).tolist()  # sync: host-read

    def configure_optimizers(self):
        return (torch.optim.AdamW(self.net.parameters(), lr=self.hparams.lr), torch.optim.AdamW(self.disc.parameters(), lr=1e-4))


def main():
    pl.seed_everything(1)
    model = Segmenter()
    trainer = pl.Trainer(accelerator="gpu", devices=2, strategy="ddp", max_epochs=50, precision="16-mixed",
                         callbacks=[WeightEMA(), ImageLogger(), ModelCheckpoint(monitor="val/iou")], logger=WandbLogger(project="tiles"))
    trainer.fit(model, DataLoader(Tiles(1000), 8, num_workers=4), DataLoader(Tiles(100), 8, num_workers=4))
    trainer.predict(model, DataLoader(Tiles(100), 8))


if __name__ == "__main__":
    main()
