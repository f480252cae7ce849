import torch
import torch.nn.functional as F
from einops import rearrange
from torch import nn


class EMAQuantizer(nn.Module):
    """VQ with EMA codebook updates, k-means-like init from the first batch and dead code restarts."""

    def __init__(self, n_codes, dim, decay=0.95, eps=1e-5, restart_below=0.5, restart_every=20):
        super().__init__()
        self.n_codes, self.dim = n_codes, dim
        self.decay, self.eps = decay, eps
        self.restart_below, self.restart_every = restart_below, restart_every
        self.register_buffer("codebook", torch.randn(n_codes, dim))
        self.register_buffer("cluster_size", torch.ones(n_codes))
        self.register_buffer("cluster_sum", self.codebook.clone())
        self.register_buffer("ready", torch.zeros((), dtype=torch.bool))
        self.register_buffer("step", torch.zeros((), dtype=torch.long))
        self.n_restarts = 0

    def _random_vectors(self, flat, n):
        idx = torch.randint(0, flat.size(0), (n,), device=flat.device)
        return flat[idx] + 0.01 * torch.randn(n, self.dim, device=flat.device)

    @torch.no_grad()
    def _init_codebook(self, flat):
        self.codebook.copy_(self._random_vectors(flat, self.n_codes))
        self.cluster_sum.copy_(self.codebook)
        self.cluster_size.fill_(1.0)
        self.ready.fill_(True)

    @torch.no_grad()
    def _update(self, flat, codes):
        onehot = F.one_hot(codes, self.n_codes).type_as(flat)
        self.cluster_size.lerp_(onehot.sum(0), 1 - self.decay)
        self.cluster_sum.lerp_(onehot.t() @ flat, 1 - self.decay)
        n = self.cluster_size.sum()
        size = (self.cluster_size + self.eps) / (n + self.n_codes * self.eps) * n
        self.codebook.copy_(self.cluster_sum / size[:, None])
        self.step += 1
        if self.step.item() % self.restart_every == 0:
            self._restart(flat)

    def _restart(self, flat):
        dead = self.cluster_size < self.restart_below
        n_dead = int(dead.sum())
        if n_dead == 0:
            return
        new = self._random_vectors(flat, n_dead)
        self.codebook[dead] = new
        self.cluster_sum[dead] = new
        self.cluster_size[dead] = 1.0
        self.n_restarts += n_dead

    def lookup(self, codes):
        return rearrange(F.embedding(codes, self.codebook), "b h w d -> b d h w")

    def forward(self, z):
        with torch.autocast(z.device.type, enabled=False):
            z = z.float()
            flat = rearrange(z, "b d h w -> (b h w) d")
            if self.training and not self.ready:
                self._init_codebook(flat.detach())
            d = flat.detach().pow(2).sum(1, keepdim=True) - 2 * flat.detach() @ self.codebook.t()
            codes = (d + self.codebook.pow(2).sum(1)).argmin(dim=1)
            q = self.lookup(codes.view(z.size(0), *z.shape[-2:]))
            if self.training:
                self._update(flat.detach(), codes)
            commit = F.mse_loss(z, q.detach())
            q = z + (q - z).detach()
            p = torch.bincount(codes, minlength=self.n_codes).float() / codes.numel()
            perplexity = torch.exp(-(p * (p + 1e-10).log()).sum())
        return q, codes.view(z.size(0), *z.shape[-2:]), commit, perplexity


class Res(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.net = nn.Sequential(
            nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, ch, 3, padding=1),
            nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, ch, 1),
        )

    def forward(self, x):
        return x + self.net(x)


class VQVAE(nn.Module):
    def __init__(self, ch=64, dim=16, n_codes=128):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, ch, 4, 2, 1), nn.SiLU(), nn.Conv2d(ch, ch, 4, 2, 1), Res(ch), Res(ch),
            nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, dim, 1),
        )
        self.quantizer = EMAQuantizer(n_codes, dim)
        self.decoder = nn.Sequential(
            nn.Conv2d(dim, ch, 3, padding=1), Res(ch), Res(ch), nn.SiLU(),
            nn.ConvTranspose2d(ch, ch, 4, 2, 1), nn.SiLU(), nn.ConvTranspose2d(ch, 3, 4, 2, 1),
        )

    def forward(self, x):
        q, codes, commit, ppl = self.quantizer(self.encoder(x))
        return self.decoder(q), codes, commit, ppl

    @torch.no_grad()
    def encode(self, x):
        return self.quantizer(self.encoder(x))[1]

    @torch.no_grad()
    def decode(self, codes):
        return self.decoder(self.quantizer.lookup(codes))
