"""Speech recognition with CTC: packed LSTM, greedy and beam decoding, word error rate each epoch."""
import json
from dataclasses import dataclass, field
from typing import Dict, List, Optional

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    manifest: str = "train.json"
    lr: float = 3e-4
    epochs: int = 20
    batch_size: int = 16
    log_every: int = 10
    device: str = "cuda:0"
    alphabet: List[str] = field(default_factory=lambda: list(" abcdefghijklmnopqrstuvwxyz'"))


@dataclass
class Utterances:
    feats: torch.Tensor
    feat_lens: torch.Tensor
    tokens: torch.Tensor
    token_lens: torch.Tensor
    texts: List[str]

    def to(self, device, non_blocking=False):
        return Utterances(
            self.feats.to(device, non_blocking=non_blocking),  # sync: copy-to-device
            self.feat_lens.to(device, non_blocking=non_blocking),  # sync: copy-to-device
            self.tokens.to(device, non_blocking=non_blocking),  # sync: copy-to-device
            self.token_lens.to(device, non_blocking=non_blocking),  # sync: copy-to-device
            self.texts,
        )


class Manifest(Dataset):
    def __init__(self, path, alphabet):
        self.rows = [json.loads(line) for line in open(path)]
        self.index = {c: i + 1 for i, c in enumerate(alphabet)}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        feats = torch.from_numpy(np.load(row["path"])).float()
        tokens = torch.tensor([self.index[c] for c in row["text"]])
        return feats, tokens, row["text"]


def collate(items):
    items.sort(key=lambda item: len(item[0]), reverse=True)
    feats, tokens, texts = zip(*items)
    return Utterances(
        pad_sequence(feats, batch_first=True),
        torch.tensor([len(f) for f in feats]),
        pad_sequence(tokens, batch_first=True),
        torch.tensor([len(t) for t in tokens]),
        list(texts),
    )


class SpecAugment(nn.Module):
    def __init__(self, freq=27, time=70, masks=2):
        super().__init__()
        self.freq, self.time, self.masks = freq, time, masks

    def forward(self, x):
        if not self.training:
            return x
        x = x.clone()
        for _ in range(self.masks):
            width = int(torch.randint(0, self.freq, (1,)))
            start = int(torch.randint(0, max(1, x.size(2) - width), (1,), device=x.device))  # sync: host-read
            x[:, :, start : start + width] = x.mean()
        return x


class Encoder(nn.Module):
    def __init__(self, n_mels=80, hidden=512, layers=3, vocab=29):
        super().__init__()
        self.augment = SpecAugment()
        self.norm = nn.BatchNorm1d(n_mels)
        self.lstm = nn.LSTM(n_mels, hidden, layers, bidirectional=True, batch_first=True)
        self.head = nn.Linear(2 * hidden, vocab)

    def forward(self, feats, lens):
        x = self.augment(feats)
        x = self.norm(x.transpose(1, 2)).transpose(1, 2)
        packed = pack_padded_sequence(x, lens.cpu(), batch_first=True, enforce_sorted=True)  # sync: copy-to-host
        out, _ = self.lstm(packed)
        out, out_lens = pad_packed_sequence(out, batch_first=True)
        return self.head(out).log_softmax(-1), out_lens


class GreedyDecoder:
    def __init__(self, alphabet, blank=0):
        self.alphabet, self.blank = alphabet, blank

    def _collapse(self, path):
        text, last = [], self.blank
        for token in path:
            if token != self.blank and token != last:  # sync: tensor-truth x2
                text.append(self.alphabet[token - 1])  # sync: host-read
            last = token
        return "".join(text)

    def __call__(self, log_probs, lens):
        best = log_probs.argmax(-1)
        return [self._collapse(best[b, : lens[b]]) for b in range(best.size(0))]


class WER:
    def __init__(self):
        self.reset()

    def reset(self):
        self.errors, self.words = 0, 0

    @staticmethod
    def distance(a: List[str], b: List[str]) -> int:
        row = np.arange(len(b) + 1)
        for i, x in enumerate(a, 1):
            before, row[0] = row[0], i
            for j, y in enumerate(b, 1):
                before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
        return int(row[-1])

    def update(self, hyps, refs):
        for h, r in zip(hyps, refs):
            self.errors += self.distance(h.split(), r.split())
            self.words += len(r.split())

    def compute(self):
        return self.errors / max(1, self.words)


class NoamSchedule:
    def __init__(self, optimizer, warmup=4000, dim=512):
        self.optimizer, self.warmup, self.dim, self.step_num = optimizer, warmup, dim, 0

    def step(self):
        self.step_num += 1
        lr = self.dim ** -0.5 * min(self.step_num ** -0.5, self.step_num * self.warmup ** -1.5)
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        return lr


class Recogniser:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        self.device = torch.device(cfg.device if torch.cuda.is_available() else "cpu")
        self.model = Encoder(vocab=len(cfg.alphabet) + 1).to(self.device)
        self.criterion = nn.CTCLoss(blank=0, zero_infinity=True)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.schedule = NoamSchedule(self.optimizer)
        self.decoder = GreedyDecoder(cfg.alphabet)
        self.wer = WER()
        self.history: Dict[str, List[float]] = {"loss": [], "wer": []}

    def compute_loss(self, batch):
        log_probs, out_lens = self.model(batch.feats, batch.feat_lens)
        loss = self.criterion(log_probs.transpose(0, 1), batch.tokens, out_lens, batch.token_lens)  # sync: library-wait
        return loss, log_probs, out_lens

    def train_epoch(self, loader) -> float:
        self.model.train()
        running: Optional[torch.Tensor] = None
        for step, batch in enumerate(loader):
            batch = batch.to(self.device)
            loss, _, _ = self.compute_loss(batch)
            if torch.isnan(loss) or torch.isinf(loss):  # sync: tensor-truth x2
                print("skipping", batch.texts)
                continue
            self.optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optimizer.step()
            lr = self.schedule.step()
            running = loss.detach() if running is None else 0.98 * running + 0.02 * loss.detach()
            self.history["loss"].append(loss.item())  # sync: host-read
            if step % self.cfg.log_every == 0:
                print("step {:d} loss {:.3f} norm {:.2f} lr {:.2e}".format(step, running, norm, lr))  # sync: host-read note
        return float(running)  # sync: host-read note

    @torch.inference_mode()
    def evaluate(self, loader) -> float:
        self.model.eval()
        self.wer.reset()
        losses = []
        for batch in loader:
            batch = batch.to(self.device, non_blocking=True)
            loss, log_probs, out_lens = self.compute_loss(batch)
            losses.append(loss)
            self.wer.update(self.decoder(log_probs, out_lens), batch.texts)
        self.history["wer"].append(self.wer.compute())
        print("dev loss", torch.stack(losses).mean().item())  # sync: host-read note
        return self.wer.compute()

    def fit(self, train, dev):
        best = float("inf")
        for epoch in range(self.cfg.epochs):
            self.train_epoch(train)
            wer = self.evaluate(dev)
            if wer < best:
                best = wer
                torch.save({"model": self.model.state_dict(), "epoch": epoch}, "best.pt")  # sync: copy-to-host note


if __name__ == "__main__":
    cfg = Config()
    data = {name: Manifest(name + ".json", cfg.alphabet) for name in ("train", "dev")}
    loaders = {name: DataLoader(d, cfg.batch_size, shuffle=name == "train", collate_fn=collate) for name, d in data.items()}
    Recogniser(cfg).fit(loaders["train"], loaders["dev"])
