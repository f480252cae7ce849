import math

import torch
import torch.nn as nn


class FeatureTokenizer(nn.Module):
    def __init__(self, cardinalities, n_num, d):
        super().__init__()
        # one big table with offsets instead of ModuleList, much faster
        offsets = torch.tensor([0] + cardinalities[:-1]).cumsum(0)
        self.register_buffer("offsets", offsets)
        self.cat_emb = nn.Embedding(sum(cardinalities), d)
        self.cat_bias = nn.Parameter(torch.empty(len(cardinalities), d))
        self.num_weight = nn.Parameter(torch.empty(n_num, d))
        self.num_bias = nn.Parameter(torch.empty(n_num, d))
        self.missing = nn.Parameter(torch.zeros(n_num, d))
        self.cls = nn.Parameter(torch.empty(d))
        bound = 1 / math.sqrt(d)
        for p in (self.cat_bias, self.num_weight, self.num_bias, self.cls, self.cat_emb.weight):
            nn.init.uniform_(p, -bound, bound)

    def forward(self, cats, nums, miss):
        c = self.cat_emb(cats + self.offsets) + self.cat_bias
        n = nums[..., None] * self.num_weight + self.num_bias
        n = torch.where(miss[..., None], self.missing.expand_as(n), n)
        cls = self.cls.expand(cats.size(0), 1, -1)
        return torch.cat([cls, c, n], dim=1)


class Block(nn.Module):
    def __init__(self, d, heads, mult, attn_drop, ffn_drop):
        super().__init__()
        self.norm1 = nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, heads, dropout=attn_drop, batch_first=True)
        self.norm2 = nn.LayerNorm(d)
        self.ffn = nn.Sequential(nn.Linear(d, 2 * mult * d), nn.GLU(), nn.Dropout(ffn_drop), nn.Linear(mult * d, d))

    def forward(self, x, mask, last=False):
        h = self.norm1(x)
        q = h[:, :1] if last else h  # last layer: only CLS is needed
        a, _ = self.attn(q, h, h, key_padding_mask=mask, need_weights=False)
        x = (x[:, :1] if last else x) + a
        return x + self.ffn(self.norm2(x))


class FTTransformer(nn.Module):
    def __init__(self, cardinalities, n_num, cfg):
        super().__init__()
        self.token_drop = cfg.token_drop
        self.tokenizer = FeatureTokenizer(cardinalities, n_num, cfg.d_token)
        self.blocks = nn.ModuleList(
            Block(cfg.d_token, cfg.n_heads, cfg.ffn_mult, cfg.attn_drop, cfg.ffn_drop)
            for _ in range(cfg.n_layers)
        )
        self.head = nn.Sequential(nn.LayerNorm(cfg.d_token), nn.ReLU(), nn.Linear(cfg.d_token, 1))

    def forward(self, cats, nums, miss):
        x = self.tokenizer(cats, nums, miss)
        mask = None
        if self.training and self.token_drop > 0:
            mask = torch.rand(x.shape[:2], device=x.device) < self.token_drop
            mask[:, 0] = False
        for i, blk in enumerate(self.blocks):
            x = blk(x, mask, last=i == len(self.blocks) - 1)
        return self.head(x[:, 0]).squeeze(-1)

    def param_groups(self, lr, emb_mult, wd):
        emb, no_decay, decay = [], [], []
        for n, p in self.named_parameters():
            if n.startswith("tokenizer"):
                emb.append(p)
            elif p.ndim < 2:
                no_decay.append(p)
            else:
                decay.append(p)
        return [
            {"params": emb, "lr": lr * emb_mult, "weight_decay": 0.0},
            {"params": no_decay, "lr": lr, "weight_decay": 0.0},
            {"params": decay, "lr": lr, "weight_decay": wd},
        ]
