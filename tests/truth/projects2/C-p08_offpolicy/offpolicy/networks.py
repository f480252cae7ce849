import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

LOG_STD_MIN, LOG_STD_MAX = -5, 2


def mlp(i, h, o, layer_norm=False):
    def block(a, b):
        return [nn.Linear(a, b)] + ([nn.LayerNorm(b)] if layer_norm else []) + [nn.ReLU()]
    return nn.Sequential(*block(i, h), *block(h, h), nn.Linear(h, o))


class TwinQ(nn.Module):
    def __init__(self, obs, act, hidden, n=2, layer_norm=True):
        super().__init__()
        self.qs = nn.ModuleList([mlp(obs + act, hidden, 1, layer_norm) for _ in range(n)])

    def forward(self, o, a):
        x = torch.cat([o, a], -1)
        return torch.stack([q(x) for q in self.qs])


class DetActor(nn.Module):
    def __init__(self, obs, act, hidden):
        super().__init__()
        self.net = mlp(obs, hidden, act)

    def forward(self, o):
        return torch.tanh(self.net(o))


class GaussianActor(nn.Module):
    def __init__(self, obs, act, hidden):
        super().__init__()
        self.net = mlp(obs, hidden, 2 * act)

    def forward(self, o):
        mu, log_std = self.net(o).chunk(2, -1)
        log_std = LOG_STD_MIN + 0.5 * (LOG_STD_MAX - LOG_STD_MIN) * (torch.tanh(log_std) + 1)
        dist = Normal(mu, log_std.exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u) - 2 * (0.6931471805599453 - u - F.softplus(-2 * u))
        return a, logp.sum(-1, keepdim=True), torch.tanh(mu)
