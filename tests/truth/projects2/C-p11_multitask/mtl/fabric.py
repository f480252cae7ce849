"""A very small stand-in for lightning fabric / accelerate."""
from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader


def move_to(obj: Any, device: torch.device) -> Any:
    if isinstance(obj, torch.Tensor):
        return obj.to(device, non_blocking=True)
    if isinstance(obj, Mapping):
        return {k: move_to(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)(move_to(v, device) for v in obj)
    return obj


class ForgeLoader:
    def __init__(self, loader: DataLoader, forge: "Forge"):
        self.loader, self.forge = loader, forge

    def __len__(self) -> int:
        return len(self.loader)

    def __iter__(self) -> Iterator:
        self.forge.end_of_loader = False
        it = iter(self.loader)
        try:
            current = next(it)
        except StopIteration:
            return
        while True:
            try:
                upcoming = next(it)
            except StopIteration:
                self.forge.end_of_loader = True
                yield move_to(current, self.forge.device)
                return
            yield move_to(current, self.forge.device)
            current = upcoming


class ForgeOptimizer:
    """skips step / zero_grad while gradients are still being accumulated"""

    def __init__(self, opt: torch.optim.Optimizer, forge: "Forge"):
        self.opt, self.forge = opt, forge
        self.skipped = 0

    @property
    def param_groups(self):
        return self.opt.param_groups

    def step(self) -> None:
        if not self.forge.sync_gradients:
            return
        scaler = self.forge.scaler
        if scaler is not None:
            before = scaler.get_scale()
            scaler.step(self.opt)
            scaler.update()
            if scaler.get_scale() < before:
                self.skipped += 1
        else:
            self.opt.step()

    def zero_grad(self) -> None:
        if self.forge.sync_gradients:
            self.opt.zero_grad(set_to_none=True)

    def state_dict(self):
        return self.opt.state_dict()

    def load_state_dict(self, sd):
        self.opt.load_state_dict(sd)


class Forge:
    def __init__(self, precision: str = "fp32", accumulate: int = 1, clip: float | None = None, seed: int = 0):
        self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if torch.cuda.is_available() \
            else torch.device("cpu")
        self.precision, self.accumulate_steps, self.clip = precision, accumulate, clip
        self.scaler = torch.amp.GradScaler(self.device.type) if precision == "fp16" else None
        self.sync_gradients, self.end_of_loader = True, False
        self._micro = 0
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)

    def setup(self, module: nn.Module, *optimizers):
        module = module.to(self.device)
        wrapped = [ForgeOptimizer(o, self) for o in optimizers]
        return (module, *wrapped) if wrapped else module

    def setup_loaders(self, *loaders: DataLoader):
        out = [ForgeLoader(l, self) for l in loaders]
        return out[0] if len(out) == 1 else out

    def autocast(self):
        if self.precision == "fp32":
            return contextlib.nullcontext()
        return torch.autocast(self.device.type, dtype=torch.float16 if self.precision == "fp16" else torch.bfloat16)

    @contextlib.contextmanager
    def accumulate(self):
        self._micro += 1
        self.sync_gradients = self._micro % self.accumulate_steps == 0 or self.end_of_loader
        if self.sync_gradients:
            self._micro = 0
        yield

    def backward(self, loss: torch.Tensor, **kw) -> None:
        loss = loss / self.accumulate_steps
        if self.scaler is not None:
            loss = self.scaler.scale(loss)
        loss.backward(**kw)

    def clip_gradients(self, module: nn.Module, optimizer: ForgeOptimizer) -> float | None:
        if not self.sync_gradients or self.clip is None:
            return None
        if self.scaler is not None:
            self.scaler.unscale_(optimizer.opt)
        return nn.utils.clip_grad_norm_(module.parameters(), self.clip).item()

    def all_reduce(self, x: torch.Tensor) -> torch.Tensor:
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            torch.distributed.all_reduce(x)
            x /= torch.distributed.get_world_size()
        return x

    def print(self, *a, **k) -> None:
        if int(os.environ.get("RANK", 0)) == 0:
            print(*a, **k, flush=True)

    def save(self, path: str, **state: Any) -> None:
        payload = {k: v.state_dict() if hasattr(v, "state_dict") else v for k, v in state.items()}
        payload["rng"] = torch.get_rng_state()
        torch.save(payload, path + ".tmp")
        os.replace(path + ".tmp", path)

    def load(self, path: str, **state: Any) -> dict:
        payload = torch.load(path, map_location=self.device, weights_only=True)
        for k, v in state.items():
            v.load_state_dict(payload.pop(k))
        return payload
