import json
import os
import time

import torch
from transformers import TrainerCallback


class EMACallback(TrainerCallback):
    """Keeps an average of the weights, swaps it in while evaluating."""

    def __init__(self, decay=0.98):
        self.decay = decay
        self.shadow = None
        self.backup = None

    def on_train_begin(self, args, state, control, model=None, **kwargs):
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters() if p.requires_grad}

    def on_step_end(self, args, state, control, model=None, **kwargs):
        with torch.no_grad():
            for n, p in model.named_parameters():
                if n in self.shadow:
                    self.shadow[n].mul_(self.decay).add_(p.detach(), alpha=1 - self.decay)

    def swap(self, model):
        self.backup = {n: p.detach().clone() for n, p in model.named_parameters() if n in self.shadow}
        for n, p in model.named_parameters():
            if n in self.shadow:
                p.data.copy_(self.shadow[n])

    def restore(self, model):
        for n, p in model.named_parameters():
            if n in self.backup:
                p.data.copy_(self.backup[n])
        self.backup = None


class JsonlLogger(TrainerCallback):
    def __init__(self, path):
        self.path = path
        self.t0 = time.time()

    def on_log(self, args, state, control, logs=None, **kwargs):
        if not state.is_world_process_zero or logs is None:
            return
        with open(self.path, "a") as f:
            f.write(json.dumps({"step": state.global_step, "t": round(time.time() - self.t0, 3), **logs}) + "\n")


class GradNormWatch(TrainerCallback):
    def __init__(self, factor=10.0):
        self.factor, self.mean, self.spikes = factor, None, 0

    def on_pre_optimizer_step(self, args, state, control, model=None, **kwargs):
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        norm = torch.linalg.vector_norm(torch.stack([g.norm() for g in grads])).item()
        if self.mean is not None and norm > self.factor * self.mean:
            self.spikes += 1
            print(f"[warn] gradient norm {norm:.2f} at step {state.global_step} (usually {self.mean:.2f})")
        self.mean = norm if self.mean is None else 0.9 * self.mean + 0.1 * norm

    def on_train_end(self, args, state, control, **kwargs):
        print(f"gradient spikes: {self.spikes}")


class TimeBudget(TrainerCallback):
    def __init__(self, seconds):
        self.seconds = seconds

    def on_train_begin(self, args, state, control, **kwargs):
        self.start = time.time()

    def on_step_end(self, args, state, control, **kwargs):
        if time.time() - self.start > self.seconds:
            control.should_training_stop = True
        return control
