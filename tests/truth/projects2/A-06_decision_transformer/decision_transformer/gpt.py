import math
import torch
import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, n_embd, n_head, n_ctx, dropout):
        super().__init__()
        self.n_head = n_head
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.attn_drop = nn.Dropout(dropout)
        self.resid_drop = nn.Dropout(dropout)
        self.register_buffer('bias', torch.tril(torch.ones(n_ctx, n_ctx)).view(1, 1, n_ctx, n_ctx))

    def forward(self, x, mask=None):
        b, t, c = x.shape
        q, k, v = self.c_attn(x).split(c, dim=2)
        q = q.view(b, t, self.n_head, c // self.n_head).transpose(1, 2)
        k = k.view(b, t, self.n_head, c // self.n_head).transpose(1, 2)
        v = v.view(b, t, self.n_head, c // self.n_head).transpose(1, 2)
        w = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(k.size(-1))
        cm = self.bias[:, :, :t, :t]
        w = w * cm - 1e4 * (1 - cm)
        if mask is not None:
            w = w + (1.0 - mask[:, None, None, :]) * -10000.0
        w = self.attn_drop(torch.softmax(w, dim=-1))
        a = torch.matmul(w, v).transpose(1, 2).contiguous().view(b, t, c)
        return self.resid_drop(self.c_proj(a))


class Block(nn.Module):
    def __init__(self, n_embd, n_head, n_ctx, dropout):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = Attention(n_embd, n_head, n_ctx, dropout)
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.ReLU(), nn.Linear(4 * n_embd, n_embd),
                                 nn.Dropout(dropout))

    def forward(self, x, mask):
        x = x + self.attn(self.ln_1(x), mask)
        x = x + self.mlp(self.ln_2(x))
        return x


class GPT(nn.Module):
    def __init__(self, n_embd, n_layer, n_head, n_ctx, dropout):
        super().__init__()
        self.h = nn.ModuleList([Block(n_embd, n_head, n_ctx, dropout) for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd)

    def forward(self, x, attention_mask):
        mask = attention_mask.to(dtype=x.dtype)
        for blk in self.h:
            x = blk(x, mask)
        return self.ln_f(x)
