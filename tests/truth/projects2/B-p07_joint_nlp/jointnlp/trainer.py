from typing import Dict, List, Optional

import torch
from torch.utils.data import DataLoader
from transformers import get_linear_schedule_with_warmup

from .data import collate
from .metrics import JointMetrics


class FGM:
    """Fast gradient method on the word embeddings (the Kaggle classic)."""

    def __init__(self, model, epsilon=0.5, emb_name="word_embeddings"):
        self.model, self.epsilon, self.emb_name = model, epsilon, emb_name
        self.backup = {}

    def attack(self):
        for name, param in self.model.named_parameters():
            if param.requires_grad and self.emb_name in name:
                self.backup[name] = param.data.clone()
                norm = torch.norm(param.grad)
                if norm != 0 and not torch.isnan(norm):
                    param.data.add_(self.epsilon * param.grad / norm)

    def restore(self):
        for name, param in self.model.named_parameters():
            if name in self.backup:
                param.data = self.backup[name]
        self.backup = {}


class Trainer:
    def __init__(self, model, lr=5e-4, head_lr=2e-3, weight_decay=0.01, warmup=0.1, clip=1.0, use_fgm=False,
                 device: Optional[str] = None, callbacks: Optional[List] = None):
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.model = model.to(self.device)
        self.lr, self.head_lr, self.weight_decay = lr, head_lr, weight_decay
        self.warmup, self.clip = warmup, clip
        self.fgm = FGM(model) if use_fgm else None
        self.callbacks = callbacks or []
        for c in self.callbacks:
            c.set_trainer(self)
        self.stop_training = False
        self.history: List[Dict[str, float]] = []

    def _call(self, name, *args):
        for c in self.callbacks:
            getattr(c, name)(*args)

    def _configure(self, total_steps):
        no_decay = ["bias", "LayerNorm.weight"]
        bert = [(n, p) for n, p in self.model.named_parameters() if n.startswith("bert.")]
        head = [(n, p) for n, p in self.model.named_parameters() if not n.startswith("bert.")]
        groups = []
        for params, lr in ((bert, self.lr), (head, self.head_lr)):
            groups.append({"params": [p for n, p in params if not any(d in n for d in no_decay)], "lr": lr,
                           "weight_decay": self.weight_decay})
            groups.append({"params": [p for n, p in params if any(d in n for d in no_decay)], "lr": lr,
                           "weight_decay": 0.0})
        self.optimizer = torch.optim.AdamW(groups)
        self.scheduler = get_linear_schedule_with_warmup(self.optimizer, int(self.warmup * total_steps), total_steps)

    def _to_device(self, batch):
        return {k: v.to(self.device) for k, v in batch.items()}

    def train_step(self, batch):
        self.optimizer.zero_grad()
        out = self.model(**batch)
        out["loss"].backward()
        if self.fgm is not None:
            self.fgm.attack()
            self.model(**batch)["loss"].backward()
            self.fgm.restore()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        self.scheduler.step()
        logs = {"loss": out["loss"].item()}
        for name, l in zip(self.model.tasks, out["losses"]):
            logs[name] = l.item()
        return logs

    def fit(self, train_set, dev_set, epochs=3, batch_size=32):
        loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, collate_fn=collate)
        self.steps_per_epoch = len(loader)
        self._configure(epochs * len(loader))
        self._call("on_train_begin")
        for epoch in range(epochs):
            self._call("on_epoch_begin", epoch)
            self.model.train()
            total = 0.0
            for step, batch in enumerate(loader):
                logs = self.train_step(self._to_device(batch))
                total += logs["loss"]
                self._call("on_batch_end", step, logs)
            logs = {"loss": total / len(loader)}
            logs.update({"val_" + k: v for k, v in self.evaluate(dev_set, batch_size).items()})
            self.history.append(logs)
            self._call("on_epoch_end", epoch, logs)
            if self.stop_training:
                print("stopped at epoch %d" % (epoch + 1))
                break
        self._call("on_train_end")
        return self.history

    @torch.no_grad()
    def evaluate(self, dataset, batch_size=32):
        self.model.eval()
        metrics, loss, n = JointMetrics(), 0.0, 0
        for batch in DataLoader(dataset, batch_size=batch_size, collate_fn=collate):
            batch = self._to_device(batch)
            out = self.model(**batch)
            loss += float(out["loss"])
            n += 1
            metrics.update(self.model.predict(out, batch["attention_mask"]), batch)
        res = {"loss": loss / n, **metrics.result()}
        res["score"] = (res["ner_f1"] + res["re_f1"] + res["intent_acc"]) / 3
        return res
