"""Frechet distance in the feature space of a small classifier trained on the real data."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class FeatureNet(nn.Module):
    def __init__(self, n_classes, dim=48):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 48, 3, stride=2, padding=1), nn.BatchNorm2d(48), nn.ReLU(),
            nn.Conv2d(48, dim, 3, stride=2, padding=1), nn.BatchNorm2d(dim), nn.ReLU(),
        )
        self.fc = nn.Linear(dim, n_classes)

    def features(self, x):
        return self.body(x).mean((2, 3))

    def forward(self, x):
        return self.fc(self.features(x))


def fit_feature_net(loader, n_classes, device, epochs=3):
    net = FeatureNet(n_classes).to(device)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for _ in range(epochs):
        net.train()
        hit = n = 0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            out = net(x)
            opt.zero_grad()
            F.cross_entropy(out, y).backward()
            opt.step()
            hit += (out.argmax(1) == y).sum().item()
            n += y.numel()
    return net.eval().requires_grad_(False), hit / n


def stats(feats):
    f = feats.double()
    return f.mean(0), torch.cov(f.T)


def sqrtm_psd(m):
    w, v = torch.linalg.eigh(m)
    return (v * w.clamp(min=0).sqrt()) @ v.T


def frechet(mu1, c1, mu2, c2):
    s1 = sqrtm_psd(c1)
    w = torch.linalg.eigvalsh(s1 @ c2 @ s1)
    tr = w.clamp(min=0).sqrt().sum()
    return ((mu1 - mu2).pow(2).sum() + c1.trace() + c2.trace() - 2 * tr).item()


def precision_recall(real, fake, k=3):
    """Kynkaanniemi et al. 2019"""
    def radius(a):
        return torch.cdist(a, a).kthvalue(k + 1, dim=1).values

    d = torch.cdist(fake, real)
    prec = (d <= radius(real)[None]).any(1).float().mean().item()
    rec = (d.T <= radius(fake)[None]).any(1).float().mean().item()
    return prec, rec
