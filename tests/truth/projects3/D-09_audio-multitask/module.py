from __future__ import annotations

import lightning as L
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ctc import ctc_nll, edit_distance, greedy_decode
from frontend import LogMel, SpecAugment
from synth import N_UNITS, TAGS


class ConvBlock(nn.Module):
    def __init__(self, dim: int, kernel: int = 9, dropout: float = 0.1) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.dw = nn.Conv1d(dim, dim, kernel, padding=kernel // 2, groups=dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * dim, dim))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        h = (self.norm(x) * mask).transpose(1, 2)
        return x + self.ff(self.dw(h).transpose(1, 2)) * mask


class AttentivePool(nn.Module):
    def __init__(self, dim: int, n_tags: int) -> None:
        super().__init__()
        self.att, self.cla = nn.Linear(dim, n_tags), nn.Linear(dim, n_tags)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        w = self.att(x).float().masked_fill(mask == 0, -1e4).softmax(dim=1)
        return (w * self.cla(x).float()).sum(dim=1)


class TaggerCTC(L.LightningModule):
    def __init__(self, dim: int = 96, layers: int = 3, lr: float = 3e-3, total_steps: int = 100) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.frontend, self.augment = LogMel(), SpecAugment()
        self.sub = nn.Sequential(
            nn.Conv1d(48, dim, 5, stride=2, padding=2), nn.GELU(), nn.Conv1d(dim, dim, 3, padding=1), nn.GELU()
        )
        self.blocks = nn.ModuleList(ConvBlock(dim) for _ in range(layers))
        self.rnn = nn.GRU(dim, dim // 2, batch_first=True, bidirectional=True)
        self.unit_head = nn.Linear(dim, N_UNITS + 1)
        self.tag_head = AttentivePool(dim, len(TAGS))
        # homoscedastic task weights (Kendall et al.)
        self.log_var = nn.Parameter(torch.zeros(2))
        self._val: list[tuple] = []

    def forward(self, wav: Tensor, wav_len: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mel, n = self.frontend(wav, wav_len)
        mel = self.augment(mel, n)
        x = self.sub(mel.transpose(1, 2)).transpose(1, 2)
        n = (n + 1) // 2
        mask = (torch.arange(x.size(1), device=x.device) < n[:, None]).unsqueeze(-1).to(x.dtype)
        for blk in self.blocks:
            x = blk(x, mask)
        tags = self.tag_head(x, mask)
        h, _ = self.rnn(x * mask)
        return self.unit_head(x + h).float().log_softmax(dim=-1), tags, n

    def _losses(self, batch: dict[str, Tensor]):
        lp, tags, n = self(batch["wav"], batch["wav_len"])
        nll = ctc_nll(lp, batch["units"], n, batch["unit_len"])
        possible = nll < 1e4  # too short for the label sequence
        ctc = torch.where(possible, nll / batch["unit_len"], 0.0).sum() / possible.sum().clamp(min=1)
        bce = F.binary_cross_entropy_with_logits(tags, batch["tags"])
        return ctc, bce, lp, tags, n

    def training_step(self, batch, batch_idx: int) -> Tensor:
        ctc, bce, lp, *_ = self._losses(batch)
        s = self.log_var
        loss = (-s[0]).exp() * ctc + (-s[1]).exp() * bce + 0.5 * s.sum()
        entropy = -(lp.exp() * lp).sum(-1).mean()
        loss = loss - 0.02 * entropy  # against the peaky "all blank" start
        self.log_dict({"loss": loss, "ctc": ctc, "bce": bce}, prog_bar=True, batch_size=len(batch["tags"]))
        return loss

    def validation_step(self, batch, batch_idx: int) -> None:
        ctc, bce, lp, tags, n = self._losses(batch)
        self.log_dict({"val_ctc": ctc, "val_bce": bce}, batch_size=len(batch["tags"]))
        errors = total = 0
        for hyp, ref, u in zip(greedy_decode(lp, n), batch["units"].tolist(), batch["unit_len"].tolist()):
            errors += edit_distance(hyp, ref[:u])
            total += u
        self._val.append((tags.sigmoid().cpu(), batch["tags"].cpu(), errors, total))

    def on_validation_epoch_end(self) -> None:
        prob = torch.cat([v[0] for v in self._val])
        true = torch.cat([v[1] for v in self._val])
        uer = sum(v[2] for v in self._val) / max(sum(v[3] for v in self._val), 1)
        self._val.clear()
        aps = []
        for c in range(prob.size(1)):
            hits = true[prob[:, c].argsort(descending=True), c]
            prec = hits.cumsum(0) / torch.arange(1, len(hits) + 1)
            aps.append((prec * hits).sum() / hits.sum().clamp(min=1))
        self.log_dict({"val_uer": uer, "val_map": torch.stack(aps).mean().item()})

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr, weight_decay=0.01)
        sched = torch.optim.lr_scheduler.OneCycleLR(opt, self.hparams.lr, total_steps=self.hparams.total_steps, pct_start=0.2)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "step"}}
