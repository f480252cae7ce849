import collections
import json
import pathlib
import random
import time

import numpy as np
import torch
from torch import distributions as torchd
from torch import nn
from torch.nn import functional as F


to_np = lambda x: x.detach().cpu().numpy()


def symlog(x):
    return torch.sign(x) * torch.log(torch.abs(x) + 1.0)


def symexp(x):
    return torch.sign(x) * (torch.exp(torch.abs(x)) - 1.0)


class RequiresGrad:
    def __init__(self, model):
        self._model = model

    def __enter__(self):
        self._model.requires_grad_(requires_grad=True)

    def __exit__(self, *args):
        self._model.requires_grad_(requires_grad=False)


class Logger:
    def __init__(self, logdir, step):
        self._logdir = logdir
        self._last_step = None
        self._last_time = None
        self._scalars = {}
        self.step = step

    def scalar(self, name, value):
        self._scalars[name] = float(value)

    def write(self, fps=False):
        scalars = list(self._scalars.items())
        if fps:
            scalars.append(("fps", self._compute_fps(self.step)))
        print(f"[{self.step}]", " / ".join(f"{k} {v:.3f}" for k, v in scalars))
        with (self._logdir / "metrics.jsonl").open("a") as f:
            f.write(json.dumps({"step": self.step, **dict(scalars)}) + "\n")
        self._scalars = {}

    def _compute_fps(self, step):
        if self._last_step is None:
            self._last_time = time.time()
            self._last_step = step
            return 0
        steps = step - self._last_step
        duration = time.time() - self._last_time
        self._last_time += duration
        self._last_step = step
        return steps / duration


class OneHotDist(torchd.one_hot_categorical.OneHotCategorical):
    def __init__(self, logits=None, probs=None, unimix_ratio=0.0):
        if logits is not None and unimix_ratio > 0.0:
            probs = F.softmax(logits, dim=-1)
            probs = probs * (1.0 - unimix_ratio) + unimix_ratio / probs.shape[-1]
            logits = torch.log(probs)
            super().__init__(logits=logits, probs=None)
        else:
            super().__init__(logits=logits, probs=probs)

    def mode(self):
        _mode = F.one_hot(torch.argmax(self.logits, axis=-1), self.logits.shape[-1])
        return _mode.float() + (self.logits - self.logits.detach())

    def sample(self, sample_shape=()):
        sample = super().sample(torch.Size(sample_shape)).detach()
        probs = self.probs
        while len(probs.shape) < len(sample.shape):
            probs = probs[None]
        return sample + (probs - probs.detach())


class DiscDist:
    def __init__(self, logits, low=-20.0, high=20.0, device="cuda"):
        self.logits = logits
        self.probs = torch.softmax(logits, -1)
        self.buckets = torch.linspace(low, high, steps=logits.shape[-1]).to(device)

    def mean(self):
        return symexp(torch.sum(self.probs * self.buckets, dim=-1, keepdim=True))

    mode = mean

    # Inside OneHotCategorical, log_prob is calculated using only max element in targets
    def log_prob(self, x):
        x = symlog(x)
        # x(time, batch, 1)
        n = len(self.buckets)
        below = torch.sum((self.buckets <= x[..., None]).to(torch.int32), dim=-1) - 1
        above = n - torch.sum((self.buckets > x[..., None]).to(torch.int32), dim=-1)
        below = torch.clip(below, 0, n - 1).long()
        above = torch.clip(above, 0, n - 1).long()
        equal = below == above
        dist_to_below = torch.where(equal, 1, torch.abs(self.buckets[below] - x))
        dist_to_above = torch.where(equal, 1, torch.abs(self.buckets[above] - x))
        total = dist_to_below + dist_to_above
        weight_below = dist_to_above / total
        weight_above = dist_to_below / total
        target = (F.one_hot(below, num_classes=n) * weight_below[..., None]
                  + F.one_hot(above, num_classes=n) * weight_above[..., None])
        log_pred = self.logits - torch.logsumexp(self.logits, -1, keepdim=True)
        target = target.squeeze(-2)
        return (target * log_pred).sum(-1)


class Optimizer:
    def __init__(self, name, parameters, lr, eps=1e-8, clip=None, wd=None):
        self._name = name
        self._parameters = list(parameters)
        self._clip = clip
        self._wd = wd
        self._opt = torch.optim.Adam(self._parameters, lr=lr, eps=eps)

    def __call__(self, loss, retain_graph=False):
        assert len(loss.shape) == 0, loss.shape
        metrics = {}
        metrics[f"{self._name}_loss"] = loss.detach().cpu().numpy()
        self._opt.zero_grad()
        loss.backward(retain_graph=retain_graph)
        norm = torch.nn.utils.clip_grad_norm_(self._parameters, self._clip)
        if self._wd:
            for var in self._parameters:
                var.data = (1 - self._wd) * var.data
        self._opt.step()
        self._opt.zero_grad()
        metrics[f"{self._name}_grad_norm"] = to_np(norm)
        return metrics


def lambda_return(reward, value, pcont, bootstrap, lambda_):
    next_values = torch.cat([value[1:], bootstrap[None]], 0)
    inputs = reward + pcont * next_values * (1 - lambda_)
    last = bootstrap
    outputs = []
    for t in reversed(range(len(reward))):
        last = inputs[t] + pcont[t] * lambda_ * last
        outputs.append(last)
    return torch.stack(outputs[::-1], 0)


def weight_init(m):
    if isinstance(m, (nn.Linear, nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.trunc_normal_(m.weight, std=0.05)
        if m.bias is not None:
            m.bias.data.fill_(0.0)
    elif isinstance(m, nn.LayerNorm):
        m.weight.data.fill_(1.0)
        m.bias.data.fill_(0.0)


class Replay:
    def __init__(self, capacity, length):
        self._episodes = collections.deque()
        self._capacity = capacity
        self._length = length
        self._size = 0

    def add(self, episode):
        ep = {k: np.stack([np.asarray(t[k]) for t in episode]) for k in episode[0]}
        self._episodes.append(ep)
        self._size += len(episode)
        while self._size > self._capacity:
            self._size -= len(self._episodes.popleft()["reward"])

    def __len__(self):
        return self._size

    def _sequence(self):
        # concatenates pieces of episodes up to length
        parts, size = [], 0
        while size < self._length:
            ep = random.choice(self._episodes)
            total = len(ep["reward"])
            start = 0 if size > 0 else random.randint(0, total - 1)
            piece = {k: v[start:start + self._length - size].copy() for k, v in ep.items()}
            piece["is_first"][0] = True
            size += len(piece["reward"])
            parts.append(piece)
        return {k: np.concatenate([p[k] for p in parts], 0) for k in parts[0]}

    def sample(self, batch):
        seqs = [self._sequence() for _ in range(batch)]
        return {k: np.stack([s[k] for s in seqs], 0) for k in seqs[0]}


class Every:
    def __init__(self, every):
        self._every = every
        self._last = None

    def __call__(self, step):
        if self._last is None:
            self._last = step
            return True
        if step - self._last >= self._every:
            self._last += self._every
            return True
        return False


def set_seed_everywhere(seed):
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)
    np.random.seed(seed)
    random.seed(seed)
