from collections import defaultdict

import torch
from torch.utils.data import WeightedRandomSampler
from transformers import Trainer

from .callbacks import EMACallback
from .losses import symmetric_kl


class TicketTrainer(Trainer):
    def __init__(self, *args, loss_fn=None, rdrop_alpha=0.0, llrd=1.0, fgm=False, balanced=False, **kwargs):
        super().__init__(*args, **kwargs)
        self.loss_fn = loss_fn.to(self.args.device)
        self.rdrop_alpha, self.llrd, self.fgm, self.balanced = rdrop_alpha, llrd, fgm, balanced
        self.model_accepts_loss_kwargs = False
        self._extra = defaultdict(list)

    # -- data
    def _get_train_sampler(self, train_dataset=None):
        if not self.balanced:
            return super()._get_train_sampler(train_dataset)
        labels = torch.tensor(self.train_dataset.labels)
        w = 1.0 / torch.bincount(labels).float().clamp(min=1).sqrt()
        return WeightedRandomSampler(w[labels].double(), len(labels), replacement=True)

    # -- optimisation
    def create_optimizer(self, model=None):
        if self.optimizer is None:
            model = self.model if model is None else model
            n_layers = model.config.num_hidden_layers
            groups = {}
            for name, p in model.named_parameters():
                if not p.requires_grad:
                    continue
                if "embeddings" in name:
                    depth = n_layers + 1
                elif ".layer." in name:
                    depth = n_layers - int(name.split(".layer.")[1].split(".")[0])
                else:
                    depth = 0
                wd = 0.0 if p.ndim < 2 else self.args.weight_decay
                g = groups.setdefault((depth, wd), {"params": [], "weight_decay": wd,
                                                    "lr": self.args.learning_rate * self.llrd ** depth})
                g["params"].append(p)
            self.optimizer = torch.optim.AdamW(list(groups.values()), lr=self.args.learning_rate,
                                               betas=(self.args.adam_beta1, self.args.adam_beta2))
        return self.optimizer

    # -- loss
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs["labels"]
        feats = {k: v for k, v in inputs.items() if k != "labels"}
        outputs = model(**feats)
        loss = self.loss_fn(outputs.logits, labels)
        if model.training and self.rdrop_alpha > 0:
            second = model(**feats).logits
            kl = symmetric_kl(outputs.logits, second)
            loss = 0.5 * (loss + self.loss_fn(second, labels)) + self.rdrop_alpha * kl
            self._extra["rdrop_kl"].append(kl.item())
        if model.training:
            acc = (outputs.logits.argmax(-1) == labels).float().mean()
            self._extra["train_acc"].append(acc.item())
        return (loss, outputs) if return_outputs else loss

    def training_step(self, model, inputs, num_items_in_batch=None):
        loss = super().training_step(model, inputs, num_items_in_batch)
        if self.fgm:
            emb = self.accelerator.unwrap_model(model).get_input_embeddings().weight
            norm = emb.grad.norm()
            if norm > 0:
                delta = 0.3 * emb.grad / norm
                emb.data.add_(delta)
                super().training_step(model, inputs, num_items_in_batch)
                emb.data.sub_(delta)
        return loss

    # -- bookkeeping
    def log(self, logs, start_time=None):
        if "loss" in logs:
            for k, v in self._extra.items():
                if v:
                    logs[k] = round(sum(v) / len(v), 5)
            self._extra.clear()
        super().log(logs, start_time)

    def evaluate(self, *args, **kwargs):
        ema = next((c for c in self.callback_handler.callbacks if isinstance(c, EMACallback)), None)
        if ema is None or ema.shadow is None or not self.is_in_train:
            return super().evaluate(*args, **kwargs)
        ema.swap(self.model)
        try:
            return super().evaluate(*args, **kwargs)
        finally:
            ema.restore(self.model)
