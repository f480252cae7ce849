from __future__ import annotations

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torchmetrics import MeanMetric, MetricCollection
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy
from torchmetrics.image import PeakSignalNoiseRatio, StructuralSimilarityIndexMeasure

from .nets import PatchDiscriminator, UNet


class ColorGAN(pl.LightningModule):
    def __init__(self, lr_g: float = 2e-4, lr_d: float = 4e-4, lambda_l1: float = 50.0, lambda_cls: float = 1.0,
                 accumulate: int = 2, clip: float = 1.0, ch: int = 32):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False

        self.generator = UNet(ch)
        self.discriminator = PatchDiscriminator(ch)

        self.train_l1 = MeanMetric()
        self.d_acc = BinaryAccuracy()
        self.train_acc = MulticlassAccuracy(num_classes=3)
        metrics = MetricCollection({
            "psnr": PeakSignalNoiseRatio(data_range=1.0),
            "ssim": StructuralSimilarityIndexMeasure(data_range=1.0),
        })
        self.val_metrics = metrics.clone(prefix="val/")
        self.test_metrics = metrics.clone(prefix="test/")
        self.val_acc = MulticlassAccuracy(num_classes=3)

    def forward(self, gray):
        return self.generator(gray)[0]

    def configure_optimizers(self):
        hp = self.hparams
        opt_g = torch.optim.AdamW(self.generator.parameters(), lr=hp.lr_g, betas=(0.5, 0.99))
        opt_d = torch.optim.AdamW(self.discriminator.parameters(), lr=hp.lr_d, betas=(0.5, 0.99))
        sch_g = torch.optim.lr_scheduler.ExponentialLR(opt_g, 0.8)
        sch_d = torch.optim.lr_scheduler.ExponentialLR(opt_d, 0.8)
        return [opt_g, opt_d], [sch_g, sch_d]

    def training_step(self, batch, batch_idx):
        hp = self.hparams
        gray, rgb, label = batch["gray"], batch["rgb"], batch["label"]
        opt_g, opt_d = self.optimizers()
        do_step = (batch_idx + 1) % hp.accumulate == 0

        # ---- generator
        self.toggle_optimizer(opt_g)
        fake, logits = self.generator(gray)
        pred_fake = self.discriminator(gray, fake)
        adv = F.softplus(-pred_fake).mean()
        l1 = F.l1_loss(fake, rgb)
        cls = F.cross_entropy(logits, label)
        g_loss = adv + hp.lambda_l1 * l1 + hp.lambda_cls * cls
        self.manual_backward(g_loss / hp.accumulate)
        if do_step:
            self.clip_gradients(opt_g, gradient_clip_val=hp.clip, gradient_clip_algorithm="norm")
            opt_g.step()
            opt_g.zero_grad()
        self.untoggle_optimizer(opt_g)

        # ---- discriminator
        self.toggle_optimizer(opt_d)
        pred_real = self.discriminator(gray, rgb)
        pred_fake = self.discriminator(gray, fake.detach())
        d_loss = 0.5 * (F.softplus(-pred_real).mean() + F.softplus(pred_fake).mean())
        self.manual_backward(d_loss / hp.accumulate)
        if do_step:
            opt_d.step()
            opt_d.zero_grad()
        self.untoggle_optimizer(opt_d)

        scores = torch.cat([pred_real.flatten(), pred_fake.flatten()]).detach().float().sigmoid()
        target = torch.cat([torch.ones_like(pred_real).flatten(), torch.zeros_like(pred_fake).flatten()]).int()
        self.d_acc.update(scores, target)
        self.train_acc(logits.detach().float(), label)
        self.train_l1.update(l1.detach().float())
        self.log_dict({"train/g_loss": g_loss.detach(), "train/d_loss": d_loss.detach(), "train/adv": adv.detach()},
                      prog_bar=True)
        self.log("train/acc", self.train_acc, on_step=False, on_epoch=True)

    def on_train_epoch_end(self):
        self.log("train/l1", self.train_l1.compute())
        self.log("train/d_acc", self.d_acc.compute())
        self.train_l1.reset()
        self.d_acc.reset()
        for sch in self.lr_schedulers():
            sch.step()

    def validation_step(self, batch, batch_idx):
        fake, logits = self.generator(batch["gray"])
        fake = fake.float()
        self.val_metrics.update(fake, batch["rgb"])
        self.val_acc.update(logits.float(), batch["label"])
        self.log("val/l1", F.l1_loss(fake, batch["rgb"]), batch_size=len(fake), prog_bar=True)

    def on_validation_epoch_end(self):
        self.log_dict(self.val_metrics.compute(), prog_bar=True)
        self.log("val/acc", self.val_acc.compute())
        self.val_metrics.reset()
        self.val_acc.reset()

    def test_step(self, batch, batch_idx):
        fake = self(batch["gray"]).float()
        self.test_metrics.update(fake, batch["rgb"])
        self.log_dict(self.test_metrics, on_step=False, on_epoch=True)
