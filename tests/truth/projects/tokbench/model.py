"""Llama-style decoder, single file."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class ModelArgs:
    dim: int = 128
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: int = 2
    vocab_size: int = 512
    multiple_of: int = 32
    norm_eps: float = 1e-5
    rope_theta: float = 10000.0
    max_seq_len: int = 256
    tie_embeddings: bool = True


class RMSNorm(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        x32 = x.float()
        return (x32 * torch.rsqrt(x32.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x) * self.weight


def precompute_rope(head_dim, seq_len, theta):
    freqs = 1.0 / (theta ** (torch.arange(0, head_dim, 2).float() / head_dim))
    f = torch.outer(torch.arange(seq_len).float(), freqs)
    return f.cos(), f.sin()


def apply_rope(x, cos, sin):
    x1, x2 = x.float().chunk(2, dim=-1)
    cos, sin = cos[None, :, None], sin[None, :, None]
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], -1).type_as(x)


class Attention(nn.Module):
    def __init__(self, a: ModelArgs):
        super().__init__()
        self.hd = a.dim // a.n_heads
        self.nh, self.nkv = a.n_heads, a.n_kv_heads
        self.wq = nn.Linear(a.dim, a.n_heads * self.hd, bias=False)
        self.wk = nn.Linear(a.dim, a.n_kv_heads * self.hd, bias=False)
        self.wv = nn.Linear(a.dim, a.n_kv_heads * self.hd, bias=False)
        self.wo = nn.Linear(a.dim, a.dim, bias=False)

    def forward(self, x, cos, sin):
        B, T, C = x.shape
        q = apply_rope(self.wq(x).view(B, T, self.nh, self.hd), cos, sin)
        k = apply_rope(self.wk(x).view(B, T, self.nkv, self.hd), cos, sin)
        v = self.wv(x).view(B, T, self.nkv, self.hd)
        rep = self.nh // self.nkv
        k, v = k.repeat_interleave(rep, 2), v.repeat_interleave(rep, 2)
        y = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True)
        return self.wo(y.transpose(1, 2).reshape(B, T, C))


class FeedForward(nn.Module):
    def __init__(self, a: ModelArgs):
        super().__init__()
        hidden = int(8 * a.dim / 3)
        hidden = a.multiple_of * ((hidden + a.multiple_of - 1) // a.multiple_of)
        self.w1 = nn.Linear(a.dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, a.dim, bias=False)
        self.w3 = nn.Linear(a.dim, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.attn, self.ffn = Attention(a), FeedForward(a)
        self.n1, self.n2 = RMSNorm(a.dim, a.norm_eps), RMSNorm(a.dim, a.norm_eps)

    def forward(self, x, cos, sin):
        x = x + self.attn(self.n1(x), cos, sin)
        return x + self.ffn(self.n2(x))


class Transformer(nn.Module):
    def __init__(self, a: ModelArgs):
        super().__init__()
        self.args = a
        self.tok = nn.Embedding(a.vocab_size, a.dim)
        self.blocks = nn.ModuleList([Block(a) for _ in range(a.n_layers)])
        self.norm = RMSNorm(a.dim, a.norm_eps)
        self.head = nn.Linear(a.dim, a.vocab_size, bias=False)
        if a.tie_embeddings:
            self.head.weight = self.tok.weight
        cos, sin = precompute_rope(a.dim // a.n_heads, a.max_seq_len, a.rope_theta)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        for n, p in self.named_parameters():
            if p.dim() > 1:
                std = 0.02 / (2 * a.n_layers) ** 0.5 if n.endswith(("wo.weight", "w2.weight")) else 0.02
                nn.init.normal_(p, std=std)

    def forward(self, idx, targets=None):
        x = self.tok(idx)
        T = idx.shape[1]
        cos, sin = self.cos[:T], self.sin[:T]
        for b in self.blocks:
            x = b(x, cos, sin)
        logits = self.head(self.norm(x))
        if targets is None:
            return logits
        return F.cross_entropy(logits.float().view(-1, logits.size(-1)), targets.view(-1))

    def num_flops_per_token(self, seq_len):
        n = sum(p.numel() for p in self.parameters())
        a = self.args
        return 6 * n + 12 * a.n_layers * a.dim * seq_len
