from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    vocab_size: int = 64
    block_size: int = 256
    n_layer: int = 4
    n_head: int = 6
    n_kv_head: int = 2
    n_embd: int = 192
    dropout: float = 0.0
    rope_base: float = 10000.0


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps)
        return (y * self.weight).to(x.dtype)


def rope_table(head_dim, max_len, base):
    inv = base ** (-torch.arange(0, head_dim, 2).float() / head_dim)
    ang = torch.outer(torch.arange(max_len).float(), inv)
    return ang.cos(), ang.sin()


def apply_rope(x, cos, sin):
    # x: B H T D, cos/sin: T D/2
    x1, x2 = x.float().chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)


class KVCache:
    """Preallocated keys and values of every layer; `pos` tokens are filled."""

    def __init__(self, cfg, batch, max_len, device, dtype):
        shape = (cfg.n_layer, batch, cfg.n_kv_head, max_len, cfg.n_embd // cfg.n_head)
        self.k = torch.zeros(shape, device=device, dtype=dtype)
        self.v = torch.zeros(shape, device=device, dtype=dtype)
        self.pos = 0
        self.max_len = max_len

    def append(self, layer, k, v):
        end = self.pos + k.size(2)
        self.k[layer, :, :, self.pos : end] = k
        self.v[layer, :, :, self.pos : end] = v
        return self.k[layer, :, :, :end], self.v[layer, :, :, :end]


class Attention(nn.Module):
    def __init__(self, cfg, layer):
        super().__init__()
        self.layer, self.h, self.kv = layer, cfg.n_head, cfg.n_kv_head
        self.d = cfg.n_embd // cfg.n_head
        self.dropout = cfg.dropout
        self.wq = nn.Linear(cfg.n_embd, self.h * self.d, bias=False)
        self.wkv = nn.Linear(cfg.n_embd, 2 * self.kv * self.d, bias=False)
        self.proj = nn.Linear(cfg.n_embd, cfg.n_embd, bias=False)

    def forward(self, x, cos, sin, cache=None):
        B, T, C = x.shape
        q = self.wq(x).view(B, T, self.h, self.d).transpose(1, 2)
        k, v = self.wkv(x).view(B, T, 2, self.kv, self.d).permute(2, 0, 3, 1, 4)
        q, k = apply_rope(q, cos, sin), apply_rope(k, cos, sin)
        mask = None
        causal = True
        if cache is not None:
            past = cache.pos
            k, v = cache.append(self.layer, k, v)
            causal = past == 0 and T > 1
            if past > 0 and T > 1:
                mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
        rep = self.h // self.kv
        k, v = k.repeat_interleave(rep, dim=1), v.repeat_interleave(rep, dim=1)
        y = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, is_causal=causal, dropout_p=self.dropout if self.training else 0.0
        )
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class MLP(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        hidden = 32 * ((8 * cfg.n_embd // 3 + 31) // 32)
        self.gate = nn.Linear(cfg.n_embd, 2 * hidden, bias=False)
        self.down = nn.Linear(hidden, cfg.n_embd, bias=False)

    def forward(self, x):
        a, b = self.gate(x).chunk(2, dim=-1)
        return self.down(F.silu(a) * b)


class Block(nn.Module):
    def __init__(self, cfg, layer):
        super().__init__()
        self.n1, self.n2 = RMSNorm(cfg.n_embd), RMSNorm(cfg.n_embd)
        self.attn, self.mlp = Attention(cfg, layer), MLP(cfg)
        self.drop = nn.Dropout(cfg.dropout)

    def forward(self, x, cos, sin, cache=None):
        x = x + self.drop(self.attn(self.n1(x), cos, sin, cache))
        return x + self.drop(self.mlp(self.n2(x)))


class GPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.wte = nn.Embedding(cfg.vocab_size, cfg.n_embd)
        self.blocks = nn.ModuleList(Block(cfg, i) for i in range(cfg.n_layer))
        self.norm = RMSNorm(cfg.n_embd)
        self.lm_head = nn.Linear(cfg.n_embd, cfg.vocab_size, bias=False)
        self.lm_head.weight = self.wte.weight
        cos, sin = rope_table(cfg.n_embd // cfg.n_head, cfg.block_size, cfg.rope_base)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self.apply(self._init)
        for n, p in self.named_parameters():
            if n.endswith(("proj.weight", "down.weight")):
                nn.init.normal_(p, std=0.02 / (2 * cfg.n_layer) ** 0.5)

    @staticmethod
    def _init(m):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=0.02)

    def forward(self, idx, targets=None, cache=None, reduction="mean"):
        T = idx.size(1)
        start = cache.pos if cache is not None else 0
        cos, sin = self.cos[start : start + T], self.sin[start : start + T]
        x = self.wte(idx)
        for blk in self.blocks:
            x = blk(x, cos, sin, cache)
        if cache is not None:
            cache.pos += T
            x = x[:, -1:]
        logits = self.lm_head(self.norm(x))
        if targets is None:
            return logits
        loss = F.cross_entropy(
            logits.float().reshape(-1, logits.size(-1)), targets.reshape(-1), ignore_index=-1, reduction=reduction
        )
        return logits, loss
