"""Knowledge distillation with hooks on intermediate layers and a curriculum by loss."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Subset


class FeatureHook:
    def __init__(self, module):
        self.features = None
        self.stats = []
        module.register_forward_hook(self.hook)

    def hook(self, module, inputs, output):
        self.features = output
        self.stats.append(output.detach().abs().mean().item())  # sync: host-read


def kd_loss(student, teacher, T=4.0):
    return F.kl_div(F.log_softmax(student / T, 1), F.softmax(teacher / T, 1), reduction="batchmean") * T * T


class Curriculum:
    """Keeps the easiest share of the samples."""

    def __init__(self, n, share=0.5):
        self.losses = torch.full((n,), float("inf"))
        self.share = share

    def record(self, index, losses):
        self.losses[index] = losses.cpu()  # sync: copy-to-host

    def subset(self, dataset):
        k = int(len(dataset) * self.share)
        return Subset(dataset, self.losses.topk(k, largest=False).indices.tolist())


def epoch_loop(fn):
    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        out = fn(*args, **kwargs)
        return {k: (v.item() if isinstance(v, torch.Tensor) else v) for k, v in out.items()}  # sync: host-read note
    return wrapped


@epoch_loop
def train_epoch(student, teacher, loader, opt, device, curriculum, hooks):
    total = torch.zeros((), device=device)
    correct, seen = 0, 0
    for index, x, y in loader:
        x, y = (t.to(device, non_blocking=True) for t in (x, y))
        with torch.no_grad():
            target = teacher(x)
        logits = student(x)
        per_sample = F.cross_entropy(logits, y, reduction="none")
        loss = per_sample.mean() + kd_loss(logits, target) + F.mse_loss(hooks[0].features, hooks[1].features)
        opt.zero_grad()
        loss.backward()
        opt.step()
        curriculum.record(index, per_sample.detach())
        total += loss.detach()
        correct += (logits.argmax(1) == y).sum()
        seen += len(y)
    return {"loss": total / seen, "acc": correct / seen, "seen": seen}


def main(student, teacher, dataset):
    device = torch.device("cuda:0")
    student.to(device)
    teacher.to(device).eval()
    hooks = [FeatureHook(student.layer4), FeatureHook(teacher.layer4)]
    opt = torch.optim.SGD(student.parameters(), 0.1)
    curriculum = Curriculum(len(dataset))
    best = 0.0
    for epoch in range(100):
        loader = DataLoader(curriculum.subset(dataset), batch_size=128, pin_memory=True)
        stats = train_epoch(student, teacher, loader, opt, device, curriculum, hooks)
        if stats["acc"] > best:
            best = stats["acc"]
        print("{epoch}: {loss:.3f} {acc:.2%}".format(epoch=epoch, **stats))
