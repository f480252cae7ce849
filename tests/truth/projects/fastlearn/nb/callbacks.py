import time
import math
from functools import partial
from pathlib import Path

import torch
from torch import nn

from .core import Callback, CancelTrainException, listify, to_device

__all__ = ['TrainEvalCallback', 'CudaCallback', 'AvgStats', 'AvgStatsCallback', 'Recorder', 'ParamScheduler',
           'LR_Find', 'sched_cos', 'combine_scheds', 'MixUp', 'ActivationStats', 'SaveBest', 'EarlyStop']


class TrainEvalCallback(Callback):
    def begin_fit(self):
        self.run.n_epochs = 0.
        self.run.n_iter = 0

    def after_batch(self):
        if not self.in_train: return
        self.run.n_epochs += 1. / self.iters
        self.run.n_iter += 1

    def begin_epoch(self):
        self.run.n_epochs = self.epoch
        self.model.train()
        self.run.in_train = True

    def begin_validate(self):
        self.model.eval()
        self.run.in_train = False


class CudaCallback(Callback):
    _order = -1
    def begin_fit(self): self.model.cuda() if torch.cuda.is_available() else None
    def begin_batch(self): self.run.xb, self.run.yb = to_device((self.xb, self.yb))


class AvgStats():
    def __init__(self, metrics, in_train): self.metrics, self.in_train = listify(metrics), in_train

    def reset(self):
        self.tot_loss, self.count = 0., 0
        self.tot_mets = [0.] * len(self.metrics)

    @property
    def all_stats(self): return [self.tot_loss.item()] + [o.item() for o in self.tot_mets]
    @property
    def avg_stats(self): return [o / self.count for o in self.all_stats]

    def __repr__(self):
        if not self.count: return ""
        return f"{'train' if self.in_train else 'valid'}: {[round(o, 4) for o in self.avg_stats]}"

    def accumulate(self, run):
        bn = run.xb.shape[0]
        self.tot_loss += run.loss.detach() * bn
        self.count += bn
        for i, m in enumerate(self.metrics):
            self.tot_mets[i] += m(run.pred, run.yb) * bn


class AvgStatsCallback(Callback):
    def __init__(self, metrics):
        self.train_stats, self.valid_stats = AvgStats(metrics, True), AvgStats(metrics, False)

    def begin_epoch(self):
        self.train_stats.reset()
        self.valid_stats.reset()
        self.start_time = time.time()

    def after_loss(self):
        stats = self.train_stats if self.in_train else self.valid_stats
        with torch.no_grad(): stats.accumulate(self.run)

    def after_epoch(self):
        self.logger(f'{self.epoch} {self.train_stats} {self.valid_stats} {time.time() - self.start_time:.1f}s')


class Recorder(Callback):
    def begin_fit(self): self.lrs, self.losses = [], []

    def after_batch(self):
        if not self.in_train: return
        self.lrs.append(self.opt.hypers[-1]['lr'])
        self.losses.append(self.loss.detach().cpu())

    def smooth(self, beta=0.9):
        out, avg = [], 0.
        for i, l in enumerate(self.losses):
            avg = beta * avg + (1 - beta) * float(l)
            out.append(avg / (1 - beta ** (i + 1)))
        return out


def annealer(f):
    def _inner(start, end): return partial(f, start, end)
    return _inner


@annealer
def sched_cos(start, end, pos): return start + (1 + math.cos(math.pi * (1 - pos))) * (end - start) / 2


def combine_scheds(pcts, scheds):
    assert sum(pcts) == 1.
    cum = [0.]
    for p in pcts: cum.append(cum[-1] + p)

    def _inner(pos):
        idx = max(i for i, c in enumerate(cum[:-1]) if pos >= c)
        actual_pos = (pos - cum[idx]) / (cum[idx + 1] - cum[idx])
        return scheds[idx](min(actual_pos, 1.))
    return _inner


class ParamScheduler(Callback):
    _order = 1
    def __init__(self, pname, sched_func): self.pname, self.sched_func = pname, sched_func

    def begin_batch(self):
        if not self.in_train: return
        for h in self.opt.hypers: h[self.pname] = self.sched_func(self.n_epochs / self.epochs)


class LR_Find(Callback):
    _order = 1
    def __init__(self, max_iter=100, min_lr=1e-6, max_lr=10):
        self.max_iter, self.min_lr, self.max_lr = max_iter, min_lr, max_lr
        self.best_loss = 1e9

    def begin_batch(self):
        if not self.in_train: return
        pos = self.n_iter / self.max_iter
        lr = self.min_lr * (self.max_lr / self.min_lr) ** pos
        for h in self.opt.hypers: h['lr'] = lr

    def after_step(self):
        if self.n_iter >= self.max_iter or self.loss > self.best_loss * 10: raise CancelTrainException()
        if self.loss < self.best_loss: self.best_loss = self.loss


class MixUp(Callback):
    _order = 90  # Runs after cuda
    def __init__(self, alpha=0.4): self.distrib = torch.distributions.Beta(torch.tensor([alpha]), torch.tensor([alpha]))

    def begin_fit(self): self.old_loss_func, self.run.loss_func = self.run.loss_func, self.loss_func

    def begin_batch(self):
        if not self.in_train: return
        lam = self.distrib.sample((self.yb.size(0),)).squeeze().to(self.xb.device)
        lam = torch.stack([lam, 1 - lam], 1)
        self.lam = lam.max(1)[0][:, None, None, None]
        shuffle = torch.randperm(self.yb.size(0)).to(self.xb.device)
        self.yb1 = self.yb[shuffle]
        self.run.xb = torch.lerp(self.xb[shuffle], self.xb, self.lam)

    def after_fit(self): self.run.loss_func = self.old_loss_func

    def loss_func(self, pred, yb):
        if not self.in_train: return self.old_loss_func(pred, yb).mean()
        loss1 = nn.functional.cross_entropy(pred, yb, reduction='none')
        loss2 = nn.functional.cross_entropy(pred, self.yb1, reduction='none')
        return torch.lerp(loss2, loss1, self.lam.flatten()).mean()


class ActivationStats(Callback):
    "mean/std of every conv's output, and the share of near zero activations"
    def __init__(self, every=4): self.every = every

    def begin_fit(self):
        self.stats, self.hooks = {}, []
        for n, m in self.model.named_modules():
            if isinstance(m, nn.Conv2d): self.hooks.append(m.register_forward_hook(partial(self.hook, n)))

    def hook(self, name, m, inp, outp):
        if not self.in_train or self.n_iter % self.every: return
        acts = outp.detach().cpu()
        ms, ss, zs = self.stats.setdefault(name, ([], [], []))
        ms.append(acts.mean().item())
        ss.append(acts.std().item())
        zs.append((acts.abs() < 0.05).float().mean().item())

    def after_fit(self):
        for h in self.hooks: h.remove()
        for n, (ms, ss, zs) in self.stats.items():
            self.logger(f'  {n:12s} mean {ms[-1]:+.3f} std {ss[-1]:.3f} dead {zs[-1]:.2%}')


class SaveBest(Callback):
    def __init__(self, path, metric=0):
        self.path, self.metric, self.best = Path(path), metric, float('-inf')
        self.path.parent.mkdir(parents=True, exist_ok=True)

    def after_epoch(self):
        val = self.avg_stats_cb.valid_stats.avg_stats[1 + self.metric]
        if val > self.best:
            self.best = val
            torch.save(self.model.state_dict(), self.path)
            self.logger(f'  better model found at epoch {self.epoch}: {val:.4f}')

    @property
    def avg_stats_cb(self): return self.run.avg_stats


class EarlyStop(Callback):
    _order = 5
    def __init__(self, patience=3): self.patience, self.best, self.bad = patience, float('inf'), 0

    def after_epoch(self):
        cur = self.run.avg_stats.valid_stats.avg_stats[0]
        if cur < self.best: self.best, self.bad = cur, 0
        else: self.bad += 1
        if self.bad >= self.patience: raise CancelTrainException()
