import json
import logging
import os
import time
from collections import defaultdict

import numpy as np
import torch
import torch.nn.functional as F
from transformers import Trainer, TrainerCallback

logger = logging.getLogger(__name__)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def expected_calibration_error(probs, labels, n_bins=10):
    conf, pred = probs.max(-1), probs.argmax(-1)
    edges = np.linspace(0, 1, n_bins + 1)
    ece = 0.0
    for lo, hi in zip(edges[:-1], edges[1:]):
        m = (conf > lo) & (conf <= hi)
        if m.any():
            ece += m.mean() * abs(conf[m].mean() - (pred[m] == labels[m]).mean())
    return float(ece)


def compute_metrics(eval_pred):
    logits, labels = eval_pred
    if isinstance(logits, tuple):
        logits = logits[0]
    preds = np.argmax(logits, axis=-1)
    f1s = []
    for c in range(logits.shape[-1]):
        tp = ((preds == c) & (labels == c)).sum()
        denom = (preds == c).sum() + (labels == c).sum()
        f1s.append(2 * tp / max(denom, 1))
    return {
        "accuracy": float((preds == labels).mean()),
        "macro_f1": float(np.mean(f1s)),
        "ece": expected_calibration_error(softmax(logits.astype(np.float32)), labels),
    }


class RDropTrainer(Trainer):
    """Weighted CE + label smoothing + R-Drop consistency between two dropout passes."""

    def __init__(self, *args, class_weights=None, rdrop_alpha=0.0, focal_gamma=0.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weights = class_weights
        self.rdrop_alpha = rdrop_alpha
        self.focal_gamma = focal_gamma
        self._extra = defaultdict(list)

    def _ce(self, logits, labels):
        weight = self.class_weights.to(logits.device) if self.class_weights is not None else None
        ce = F.cross_entropy(logits.float(), labels, weight=weight, reduction="none",
                             label_smoothing=self.args.label_smoothing_factor)
        if self.focal_gamma > 0:
            pt = torch.softmax(logits.float(), -1).gather(1, labels[:, None]).squeeze(1)
            ce = ce * (1 - pt) ** self.focal_gamma
        return ce.mean()

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs["labels"]
        feed = {k: v for k, v in inputs.items() if k != "labels"}
        outputs = model(**feed)
        ce = self._ce(outputs.logits, labels)
        loss = ce
        if model.training:
            self._extra["ce"].append(ce.item())
            if self.rdrop_alpha > 0:
                logits2 = model(**feed).logits
                p = F.log_softmax(outputs.logits.float(), -1)
                q = F.log_softmax(logits2.float(), -1)
                kl = 0.5 * (F.kl_div(p, q, log_target=True, reduction="batchmean")
                            + F.kl_div(q, p, log_target=True, reduction="batchmean"))
                loss = 0.5 * (ce + self._ce(logits2, labels)) + self.rdrop_alpha * kl
                self._extra["kl"].append(kl.detach().cpu().item())
        if return_outputs:
            return loss, {"loss": loss, "logits": outputs.logits}
        return loss

    def log(self, logs, *args, **kwargs):
        if "loss" in logs and self._extra:
            for k, v in self._extra.items():
                logs[k] = round(float(np.mean(v)), 4)
            self._extra.clear()
        super().log(logs, *args, **kwargs)

    def create_optimizer(self, *args, **kwargs):
        if self.optimizer is None:
            head = [p for n, p in self.model.named_parameters() if "classifier" in n]
            body = [p for n, p in self.model.named_parameters() if "classifier" not in n]
            self.optimizer = torch.optim.AdamW(
                [{"params": body, "lr": self.args.learning_rate},
                 {"params": head, "lr": self.args.learning_rate * 5}],
                weight_decay=self.args.weight_decay)
        return self.optimizer


class JsonlCallback(TrainerCallback):
    def __init__(self, path):
        self.path = path
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").close()

    def on_log(self, args, state, control, logs=None, **kwargs):
        if state.is_world_process_zero:
            with open(self.path, "a") as f:
                f.write(json.dumps({"step": state.global_step, **logs}) + "\n")


class ThroughputAndNormCallback(TrainerCallback):
    def __init__(self, every=10):
        self.every = every

    def on_train_begin(self, args, state, control, **kwargs):
        self.t0, self.last = time.time(), 0

    def on_step_end(self, args, state, control, model=None, **kwargs):
        if state.global_step % self.every == 0:
            dt = time.time() - self.t0
            sps = (state.global_step - self.last) * args.train_batch_size * args.gradient_accumulation_steps / dt
            wnorm = sum(p.detach().pow(2).sum() for p in model.parameters()).sqrt().item()
            print(f"  step {state.global_step}: {sps:.0f} samples/s, |w| = {wnorm:.2f}")
            self.t0, self.last = time.time(), state.global_step

    def on_epoch_end(self, args, state, control, **kwargs):
        print(f"-- epoch {state.epoch:.0f} done")
