import torch
import torch.nn as nn
import torch.nn.functional as F

from .layers import MoELayer


class Block(nn.Module):
    def __init__(self, cfg, use_moe):
        super().__init__()
        self.norm1 = nn.LayerNorm(cfg.D_MODEL)
        self.attn = nn.MultiheadAttention(cfg.D_MODEL, cfg.N_HEADS, dropout=cfg.DROPOUT, batch_first=True)
        self.norm2 = nn.LayerNorm(cfg.D_MODEL)
        self.use_moe = use_moe
        if use_moe:
            self.mlp = MoELayer(cfg)
        else:
            self.mlp = nn.Sequential(nn.Linear(cfg.D_MODEL, cfg.D_FF), nn.GELU(), nn.Linear(cfg.D_FF, cfg.D_MODEL))
        self.drop = nn.Dropout(cfg.DROPOUT)

    def forward(self, x, mask):
        h = self.norm1(x)
        a, _ = self.attn(h, h, h, attn_mask=mask, need_weights=False)
        x = x + self.drop(a)
        return x + self.drop(self.mlp(self.norm2(x)))


class MoELM(nn.Module):
    def __init__(self, cfg, max_len=512):
        super().__init__()
        self.embed = nn.Embedding(cfg.VOCAB_SIZE, cfg.D_MODEL)
        self.pos = nn.Parameter(torch.randn(1, max_len, cfg.D_MODEL) * 0.02)
        self.blocks = nn.ModuleList(
            [Block(cfg, (i + 1) % cfg.MOE_EVERY == 0) for i in range(cfg.N_LAYERS)])
        self.norm = nn.LayerNorm(cfg.D_MODEL)
        self.head = nn.Linear(cfg.D_MODEL, cfg.VOCAB_SIZE)

    def moe_layers(self):
        return [b.mlp for b in self.blocks if b.use_moe]

    def forward(self, idx):
        T = idx.shape[1]
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1).cuda()
        x = self.embed(idx) + self.pos[:, :T]
        for b in self.blocks:
            x = b(x, mask)
        return self.head(self.norm(x))


def build_losses(cfg, model, logits, target):
    losses = {"loss_lm": F.cross_entropy(logits.float().flatten(0, 1), target.flatten())}
    moes = model.moe_layers()
    losses["loss_balance"] = cfg.LOSS.BALANCE_WEIGHT * sum(m.aux["balance"] for m in moes) / len(moes)
    losses["loss_z"] = cfg.LOSS.ZLOSS_WEIGHT * sum(m.aux["zloss"] for m in moes) / len(moes)
    return losses
