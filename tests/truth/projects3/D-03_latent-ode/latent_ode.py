import torch
import torch.nn as nn
import torch.nn.functional as F

from solver import StepStats, odeint, odeint_adjoint


class Dynamics(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, dim)
        )
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.5 / m.in_features**0.5)
                nn.init.zeros_(m.bias)

    def forward(self, t, z):  # autonomous, t ignored
        return self.net(z)


class BackwardEncoder(nn.Module):
    """GRU run from the last observation to the first, reads values, mask and time gaps."""

    def __init__(self, obs_dim, hidden, latent):
        super().__init__()
        self.gru = nn.GRU(2 * obs_dim + 1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2 * latent)

    def forward(self, x, mask, t):
        dt = torch.diff(t, prepend=t[:1])
        inp = torch.cat([x * mask, mask, dt[None, :, None].expand(len(x), -1, 1)], dim=-1)
        _, h = self.gru(inp.flip(1))
        mu, logvar = self.out(h[-1]).chunk(2, dim=-1)
        return mu, logvar.clamp(-8, 4)


class LatentODE(nn.Module):
    def __init__(self, obs_dim, latent=6, hidden=64, rtol=1e-3, atol=1e-4, adjoint=True, sigma=0.1):
        super().__init__()
        self.encoder = BackwardEncoder(obs_dim, hidden, latent)
        self.func = Dynamics(latent, hidden)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, obs_dim))
        self.rtol, self.atol, self.adjoint = rtol, atol, adjoint
        self.sigma = sigma
        self.fwd_stats, self.bwd_stats = StepStats(), StepStats()

    def solve(self, z0, t):
        ts = t.tolist()
        if self.adjoint and torch.is_grad_enabled():
            return odeint_adjoint(self.func, z0, ts, self.rtol, self.atol, (self.fwd_stats, self.bwd_stats))
        return odeint(self.func, z0, ts, self.rtol, self.atol, self.fwd_stats)

    def forward(self, x, mask, t_obs, t_pred, sample=True):
        mu, logvar = self.encoder(x, mask, t_obs)
        z0 = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if sample else mu
        zs = self.solve(z0, t_pred)
        return self.decoder(zs).transpose(0, 1), zs, mu, logvar

    def elbo(self, pred, x, mask, mu, logvar, beta):
        nll = 0.5 * ((pred - x) / self.sigma) ** 2 * mask
        nll = nll.sum(dim=(1, 2)) / mask.sum(dim=(1, 2)).clamp(min=1)
        kl = 0.5 * (mu**2 + logvar.exp() - 1 - logvar).sum(dim=1)
        return (nll + beta * kl / x[0].numel()).mean(), nll.mean(), kl.mean()


def masked_mse(pred, target, mask):
    return (F.mse_loss(pred, target, reduction="none") * mask).sum() / mask.sum().clamp(min=1)
