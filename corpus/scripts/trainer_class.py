"""A home-made Trainer: config dataclass, callbacks, EMA, early stopping, TensorBoard."""
import argparse
import contextlib
import os
import time
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.tensorboard import SummaryWriter


@dataclass
class TrainConfig:
    epochs: int = 20
    samples: int = 6000
    batch_size: int = 64
    d_model: int = 64
    seq_len: int = 32
    lr: float = 1e-3
    log_every: int = 25
    patience: int = 3
    logdir: str = "tb"
    device: str = "cuda"
    profile: bool = False


class SeqClassifier(nn.Module):
    def __init__(self, cfg, vocab=128, classes=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, cfg.d_model)
        layer = nn.TransformerEncoderLayer(cfg.d_model, 4, 128, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.head = nn.Linear(cfg.d_model, classes)
        causal = nn.Transformer.generate_square_subsequent_mask(cfg.seq_len)
        self.register_buffer("causal", causal)

    def forward(self, tokens):
        h = self.encoder(self.emb(tokens), mask=self.causal)  # sync: library-wait
        return self.head(h[:, -1])


class Callback:
    def on_batch_end(self, trainer, logs):
        pass

    def on_epoch_end(self, trainer, logs):
        pass


class NanGuard(Callback):
    def on_batch_end(self, trainer, logs):
        if torch.isnan(logs["loss"]).any():  # sync: tensor-truth
            raise FloatingPointError(f"loss became NaN at step {trainer.step}: {logs['loss']}")


class TensorBoardLogger(Callback):
    def __init__(self, logdir, every):
        self.writer = SummaryWriter(logdir)
        self.every = every

    def on_batch_end(self, trainer, logs):
        self.writer.add_scalar("train/loss", logs["loss"], trainer.step)  # sync: copy-to-host
        if trainer.step % self.every == 0:
            for name, p in trainer.model.named_parameters():
                if p.grad is not None:
                    self.writer.add_scalar(f"grad/{name}", p.grad.norm().item(), trainer.step)  # sync: host-read note
        self.writer.add_scalar("train/lr", trainer.optimizer.param_groups[0]["lr"], trainer.step)

    def on_epoch_end(self, trainer, logs):
        for k, v in logs.items():
            self.writer.add_scalar(f"val/{k}", v, trainer.epoch)


class EarlyStopping(Callback):
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def on_epoch_end(self, trainer, logs):
        if logs["loss"] < self.best - 1e-4:
            self.best, self.bad = logs["loss"], 0
            trainer.save("best.pt")
        else:
            self.bad += 1
            trainer.should_stop = self.bad > self.patience


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)

    @contextlib.contextmanager
    def applied(self, model):
        backup = {k: v.clone() for k, v in model.state_dict().items()}
        model.load_state_dict(self.shadow)
        try:
            yield
        finally:
            model.load_state_dict(backup)


class Trainer:
    def __init__(self, cfg, model, callbacks=()):
        self.cfg = cfg
        self.device = torch.device(cfg.device)
        self.model = model.to(self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.ema = EMA(self.model)
        self.callbacks = list(callbacks)
        self.step, self.epoch, self.should_stop = 0, 0, False
        self.timings = []

    def move(self, batch):
        return [t.to(self.device) for t in batch]  # sync: copy-to-device

    def compute_loss(self, batch):
        tokens, labels = batch
        logits = self.model(tokens)
        loss = F.cross_entropy(logits, labels)
        return loss, logits

    def train_step(self, batch):
        self.optimizer.zero_grad(set_to_none=True)
        loss, logits = self.compute_loss(batch)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.ema.update(self.model)
        return {"loss": loss.detach(), "norm": norm}

    def fit(self, train_loader, val_loader):
        for self.epoch in range(self.cfg.epochs):
            self.model.train()
            tic = time.perf_counter()
            for batch in train_loader:
                logs = self.train_step(self.move(batch))
                for cb in self.callbacks:
                    cb.on_batch_end(self, logs)
                self.step += 1
                if self.step % self.cfg.log_every == 0:
                    self.print_progress(logs)
            self.timings.append(time.perf_counter() - tic)
            with self.ema.applied(self.model):
                val = self.validate(val_loader)
            print(f"epoch {self.epoch}", {k: round(v, 4) for k, v in val.items()}, f"{self.timings[-1]:.1f}s")
            for cb in self.callbacks:
                cb.on_epoch_end(self, val)
            if self.should_stop:
                print("stopping early")
                break

    def print_progress(self, logs):
        loss, norm = logs["loss"], logs["norm"]
        print("step {:>6} loss {:.4f}".format(self.step, loss), end=" ")  # sync: host-read note
        print("norm %.3f" % norm)  # sync: host-read note

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        losses, correct, n = [], 0, 0
        for batch in loader:
            batch = self.move(batch)
            loss, logits = self.compute_loss(batch)
            losses.append(loss)
            correct = correct + (logits.argmax(-1) == batch[1]).sum()
            n += len(batch[1])
        mean_loss = torch.stack(losses).mean()
        return {"loss": mean_loss.item(), "acc": correct.item() / n}  # sync: host-read x2 note

    def save(self, name):
        os.makedirs(self.cfg.logdir, exist_ok=True)
        torch.save({"model": self.model.state_dict(), "step": self.step}, os.path.join(self.cfg.logdir, name))  # sync: copy-to-host note


def make_loaders(cfg):
    tokens = torch.randint(0, 128, (cfg.samples, cfg.seq_len))
    labels = (tokens[:, -1] + tokens[:, -2]) % 5
    n = int(0.9 * cfg.samples)
    train = TensorDataset(tokens[:n], labels[:n])
    val = TensorDataset(tokens[n:], labels[n:])
    print("label histogram:", torch.bincount(labels).tolist())
    return DataLoader(train, cfg.batch_size, shuffle=True), DataLoader(val, cfg.batch_size)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--samples", type=int, default=6000)
    parser.add_argument("--logdir", default="tb")
    ns = parser.parse_args()
    cfg = TrainConfig(epochs=ns.epochs, samples=ns.samples, logdir=ns.logdir)
    torch.manual_seed(0)
    train_loader, val_loader = make_loaders(cfg)
    callbacks = [NanGuard(), TensorBoardLogger(cfg.logdir, cfg.log_every), EarlyStopping(cfg.patience)]
    trainer = Trainer(cfg, SeqClassifier(cfg), callbacks)
    trainer.fit(train_loader, val_loader)
    final = trainer.validate(val_loader)
    print("final", final, "steps", trainer.step)
    callbacks[1].writer.close()


if __name__ == "__main__":
    main()
