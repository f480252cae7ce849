from collections import defaultdict

import numpy as np
import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from scipy.ndimage import median_filter


class GLU(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.linear = nn.Linear(channels, channels)

    def forward(self, x):
        lin = self.linear(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return lin * torch.sigmoid(x)


class CRNN(nn.Module):
    def __init__(self, n_mels, n_events, filters=(8, 16, 16), rnn_dim=32, dropout=0.2):
        super().__init__()
        blocks, cin, mels = [], 1, n_mels
        for f in filters:
            blocks += [nn.Conv2d(cin, f, 3, padding=1), nn.BatchNorm2d(f), GLU(f), nn.Dropout(dropout), nn.AvgPool2d((2, 1))]
            cin, mels = f, mels // 2
        self.cnn = nn.Sequential(*blocks)
        self.rnn = nn.GRU(cin * mels, rnn_dim, bidirectional=True, batch_first=True)
        self.dense = nn.Linear(rnn_dim * 2, n_events)
        self.attn = nn.Linear(rnn_dim * 2, n_events)

    def forward(self, mel):
        x = self.cnn(mel)
        b, c, f, t = x.shape
        x = x.permute(0, 3, 1, 2).reshape(b, t, c * f)
        x, _ = self.rnn(x)
        strong = torch.sigmoid(self.dense(x))
        attn = torch.softmax(self.attn(x), dim=-1).clamp(1e-7, 1)
        weak = (strong * attn).sum(1) / attn.sum(1)
        return strong.transpose(1, 2), weak


def log_mel_norm(x, mean=0.4, std=1.2):
    return (x - mean) / std


def find_segments(active):
    change = np.flatnonzero(np.diff(np.concatenate([[0], active.astype(np.int8), [0]])))
    return change.reshape(-1, 2)


class SEDTask(pl.LightningModule):
    def __init__(self, n_mels=40, n_events=5, lr=2e-3, weak_weight=0.5, mixup_p=0.5, median=5, warmup_steps=8):
        super().__init__()
        self.save_hyperparameters()
        self.net = CRNN(n_mels, n_events)
        self.register_buffer("thresholds", torch.full((n_events,), 0.5))
        self.val_outputs = defaultdict(list)
        self.test_events = []

    def forward(self, mel):
        return self.net(log_mel_norm(mel))

    def mixup(self, mel, strong, weak):
        lam = np.random.beta(0.2, 0.2)
        perm = torch.randperm(mel.size(0), device=mel.device)
        mel = lam * mel + (1 - lam) * mel[perm]
        strong = torch.clamp(strong + strong[perm], 0, 1)
        weak = torch.clamp(weak + weak[perm], 0, 1)
        return mel, strong, weak

    def _loss(self, strong_p, weak_p, strong, weak):
        with torch.autocast(self.device.type, enabled=False):
            l_strong = F.binary_cross_entropy(strong_p.float(), strong)
            l_weak = F.binary_cross_entropy(weak_p.float().clamp(0, 1), weak)
        return l_strong, l_weak

    def training_step(self, batch, batch_idx):
        mel, strong, weak = batch["mel"], batch["strong"], batch["weak"]
        if np.random.rand() < self.hparams.mixup_p:
            mel, strong, weak = self.mixup(mel, strong, weak)
        strong_p, weak_p = self(mel)
        l_strong, l_weak = self._loss(strong_p, weak_p, strong, weak)
        loss = l_strong + self.hparams.weak_weight * l_weak
        self.log("train/loss", loss, prog_bar=True)
        self.log("train/loss_strong", l_strong.item())
        self.log("train/loss_weak", l_weak.item())
        self.log("train/lr", self.trainer.optimizers[0].param_groups[0]["lr"], prog_bar=True)
        return loss

    def on_before_optimizer_step(self, optimizer):
        if self.trainer.global_step % self.trainer.log_every_n_steps == 0:
            norms = torch.stack([p.grad.norm() for p in self.parameters() if p.grad is not None])
            self.log("grad_norm", norms.norm())

    def validation_step(self, batch, batch_idx):
        strong_p, weak_p = self(batch["mel"])
        l_strong, l_weak = self._loss(strong_p, weak_p, batch["strong"], batch["weak"])
        self.log("val/loss", l_strong + self.hparams.weak_weight * l_weak, on_epoch=True, batch_size=len(weak_p))
        self.val_outputs["strong_p"].append(strong_p.detach().cpu())
        self.val_outputs["strong"].append(batch["strong"].cpu())
        self.val_outputs["weak_p"].append(weak_p.detach().cpu())
        self.val_outputs["weak"].append(batch["weak"].cpu())

    def on_validation_epoch_end(self):
        out = {k: torch.cat(v).float() for k, v in self.val_outputs.items()}
        self.val_outputs.clear()
        f1s = []
        for c in range(self.hparams.n_events):
            best_f1, best_t = 0.0, 0.5
            for t in np.arange(0.2, 0.8, 0.1):
                p = out["strong_p"][:, c] > t
                y = out["strong"][:, c] > 0.5
                tp = (p & y).sum()
                f1 = 2 * tp / (p.sum() + y.sum()).clamp(min=1)
                if f1 > best_f1:
                    best_f1, best_t = f1.item(), t
            self.thresholds[c] = best_t
            f1s.append(best_f1)
            self.log(f"val/f1_class{c}", best_f1)
        weak_acc = ((out["weak_p"] > 0.5) == (out["weak"] > 0.5)).float().mean()
        self.log("val/weak_acc", weak_acc, prog_bar=True)
        self.log("val/seg_f1", float(np.mean(f1s)), prog_bar=True)

    def test_step(self, batch, batch_idx):
        strong_p, _ = self(batch["mel"])
        binary = (strong_p > self.thresholds[None, :, None]).cpu().numpy()
        binary = median_filter(binary.astype(np.uint8), size=(1, 1, self.hparams.median))
        for name, clip in zip(batch["filename"], binary):
            for c, active in enumerate(clip):
                for on, off in find_segments(active):
                    self.test_events.append((name, int(on), int(off), c))
        acc = (torch.from_numpy(binary).to(self.device) == batch["strong"]).float().mean()
        self.log("test/frame_acc", acc)

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / self.hparams.warmup_steps))
        return [opt], [{"scheduler": sched, "interval": "step"}]
