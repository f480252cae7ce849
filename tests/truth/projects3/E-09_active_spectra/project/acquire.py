import torch
from torch import nn

from minitrain import Registry

ACQUISITION = Registry("acquisition function")


def enable_mc_dropout(model):
    model.eval()
    for m in model.modules():
        if isinstance(m, (nn.Dropout, nn.Dropout1d)):
            m.train()


@torch.no_grad()
def mc_predict(model, loader, device, samples=12):
    """[N, S, C] log-probabilities with dropout switched on"""
    enable_mc_dropout(model)
    out = []
    for x, _ in loader:
        x = x.to(device)
        rep = x.repeat_interleave(samples, 0)
        logp = model(rep).float().log_softmax(-1)
        out.append(logp.view(x.size(0), samples, -1))
    model.eval()
    return torch.cat(out)


def entropy(p, dim=-1):
    return -(p * p.clamp_min(1e-12).log()).sum(dim)


@ACQUISITION.register("random")
def random_scores(logp):
    return torch.rand(logp.size(0), device=logp.device)


@ACQUISITION.register("entropy")
def max_entropy(logp):
    return entropy(logp.exp().mean(1))


@ACQUISITION.register("bald")
def bald(logp):
    p = logp.exp()
    return entropy(p.mean(1)) - entropy(p).mean(1)


@ACQUISITION.register("margin")
def margin(logp):
    top = logp.exp().mean(1).topk(2, dim=-1).values
    return top[:, 1] - top[:, 0]


def expected_calibration_error(p, y, bins=10):
    conf, pred = p.max(-1)
    hit = (pred == y).float()
    idx = (conf * bins).long().clamp(max=bins - 1)
    ece = 0.0
    for b in range(bins):
        m = idx == b
        if m.any():
            ece += (m.float().mean() * (hit[m].mean() - conf[m].mean()).abs()).item()
    return ece
