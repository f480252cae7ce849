import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from corpus import PAD


class Attention(nn.Module):
    def __init__(self, d, heads, p):
        super().__init__()
        self.h, self.p = heads, p
        self.q = nn.Linear(d, d)
        self.kv = nn.Linear(d, 2 * d)
        self.o = nn.Linear(d, d)

    def forward(self, x, mem, mask=None, causal=False):
        B, T, D = x.shape
        q = self.q(x).view(B, T, self.h, -1).transpose(1, 2)
        k, v = self.kv(mem).view(B, mem.size(1), 2, self.h, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal,
                                           dropout_p=self.p if self.training else 0.0)
        return self.o(y.transpose(1, 2).reshape(B, T, D))


class Layer(nn.Module):
    def __init__(self, d, heads, ff, p, cross):
        super().__init__()
        self.n1, self.sa = nn.LayerNorm(d), Attention(d, heads, p)
        self.n2, self.ca = (nn.LayerNorm(d), Attention(d, heads, p)) if cross else (None, None)
        self.n3 = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, ff), nn.ReLU(), nn.Dropout(p), nn.Linear(ff, d))
        self.drop = nn.Dropout(p)

    def forward(self, x, mask=None, mem=None, mem_mask=None, causal=False):
        h = self.n1(x)
        x = x + self.drop(self.sa(h, h, mask, causal))
        if self.ca is not None:
            x = x + self.drop(self.ca(self.n2(x), mem, mem_mask))
        return x + self.drop(self.ff(self.n3(x)))


class Seq2Seq(nn.Module):
    def __init__(self, n_src, n_tgt, d=128, heads=4, ff=384, layers=2, dropout=0.1, max_len=128):
        super().__init__()
        self.d = d
        self.src_emb = nn.Embedding(n_src, d, padding_idx=PAD)
        self.tgt_emb = nn.Embedding(n_tgt, d, padding_idx=PAD)
        self.enc = nn.ModuleList([Layer(d, heads, ff, dropout, False) for _ in range(layers)])
        self.dec = nn.ModuleList([Layer(d, heads, ff, dropout, True) for _ in range(layers)])
        self.enc_norm, self.dec_norm = nn.LayerNorm(d), nn.LayerNorm(d)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(d, n_tgt, bias=False)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        for e in (self.src_emb, self.tgt_emb):
            nn.init.normal_(e.weight, std=d ** -0.5)
            nn.init.zeros_(e.weight[PAD].data)
        self.out.weight = self.tgt_emb.weight
        pos = torch.arange(max_len)[:, None]
        div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        pe = torch.zeros(max_len, d)
        pe[:, 0::2], pe[:, 1::2] = torch.sin(pos * div), torch.cos(pos * div)
        self.register_buffer('pe', pe, persistent=False)

    def _embed(self, emb, ids):
        return self.drop(emb(ids) * math.sqrt(self.d) + self.pe[:ids.size(1)])

    def encode(self, src):
        mask = (src != PAD)[:, None, None, :]
        x = self._embed(self.src_emb, src)
        for l in self.enc:
            x = l(x, mask)
        return self.enc_norm(x), mask

    def decode(self, tgt, mem, mem_mask):
        x = self._embed(self.tgt_emb, tgt)
        for l in self.dec:
            x = l(x, mem=mem, mem_mask=mem_mask, causal=True)
        return self.out(self.dec_norm(x))

    def forward(self, src, tgt_in):
        return self.decode(tgt_in, *self.encode(src))
