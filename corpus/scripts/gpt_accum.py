"""Character-level transformer with gradient accumulation (synthetic corpus)."""
import math
import os
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class Config:
    vocab_size: int = 96
    block_size: int = 64
    n_layer: int = 2
    n_head: int = 4
    n_embd: int = 64
    dropout: float = 0.1
    batch_size: int = 16
    accum_steps: int = 4
    max_iters: int = int(os.environ.get("MAX_ITERS", 2000))
    eval_interval: int = int(os.environ.get("EVAL_INTERVAL", 200))
    eval_iters: int = 5
    log_interval: int = 10
    learning_rate: float = 3e-4
    warmup: int = 100
    grad_clip: float = 1.0
    device: str = "cuda" if torch.cuda.is_available() else "cpu"


class CausalSelfAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.n_head = cfg.n_head
        self.c_attn = nn.Linear(cfg.n_embd, 3 * cfg.n_embd)
        self.c_proj = nn.Linear(cfg.n_embd, cfg.n_embd)
        self.dropout = cfg.dropout

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(C, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        p = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=True)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.ln_1 = nn.LayerNorm(cfg.n_embd)
        self.attn = CausalSelfAttention(cfg)
        self.ln_2 = nn.LayerNorm(cfg.n_embd)
        self.mlp = nn.Sequential(nn.Linear(cfg.n_embd, 4 * cfg.n_embd), nn.GELU(), nn.Linear(4 * cfg.n_embd, cfg.n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.wte = nn.Embedding(cfg.vocab_size, cfg.n_embd)
        self.wpe = nn.Embedding(cfg.block_size, cfg.n_embd)
        self.blocks = nn.ModuleList([Block(cfg) for _ in range(cfg.n_layer)])
        self.ln_f = nn.LayerNorm(cfg.n_embd)
        self.lm_head = nn.Linear(cfg.n_embd, cfg.vocab_size, bias=False)

    def forward(self, idx, targets=None):
        b, t = idx.size()
        assert t <= self.cfg.block_size, f"sequence of length {t} is too long"
        pos = torch.arange(0, t, dtype=torch.long, device=idx.device)
        x = self.wte(idx) + self.wpe(pos)
        for block in self.blocks:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0, top_k=None):
        for _ in range(max_new_tokens):
            idx_cond = idx if idx.size(1) <= self.cfg.block_size else idx[:, -self.cfg.block_size:]
            logits, _ = self(idx_cond)
            logits = logits[:, -1, :] / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")  # sync: index-from-host
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1)
            idx = torch.cat((idx, idx_next), dim=1)
        return idx


cfg = Config()
torch.manual_seed(1337)
data = np.random.default_rng(0).integers(0, cfg.vocab_size, size=100_000).astype(np.uint16)
train_data, val_data = data[:90_000], data[90_000:]


def get_batch(split):
    d = train_data if split == "train" else val_data
    ix = torch.randint(len(d) - cfg.block_size - 1, (cfg.batch_size,))
    x = torch.stack([torch.from_numpy(d[i:i + cfg.block_size].astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy(d[i + 1:i + 1 + cfg.block_size].astype(np.int64)) for i in ix])
    if cfg.device == "cuda":
        x, y = x.pin_memory().to(cfg.device, non_blocking=True), y.pin_memory().to(cfg.device, non_blocking=True)  # sync: pin-per-step note x2
    return x, y


def get_lr(it):
    if it < cfg.warmup:
        return cfg.learning_rate * (it + 1) / cfg.warmup
    ratio = (it - cfg.warmup) / max(1, cfg.max_iters - cfg.warmup)
    return 0.1 * cfg.learning_rate + 0.5 * (1 + math.cos(math.pi * ratio)) * 0.9 * cfg.learning_rate


@torch.no_grad()
def estimate_loss(model):
    out = {}
    model.eval()
    for split in ("train", "val"):
        losses = torch.zeros(cfg.eval_iters)
        for k in range(cfg.eval_iters):
            X, Y = get_batch(split)
            _, loss = model(X, Y)
            losses[k] = loss.item()  # sync: host-read
        out[split] = losses.mean().item()
    model.train()
    return out


model = GPT(cfg).to(cfg.device)
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.learning_rate, betas=(0.9, 0.95))
X, Y = get_batch("train")
t0 = time.time()
running = -1.0
for it in range(cfg.max_iters):
    lr = get_lr(it)
    for group in optimizer.param_groups:
        group["lr"] = lr

    if it % cfg.eval_interval == 0:
        stats = estimate_loss(model)
        print(f"iter {it}: train {stats['train']:.4f} val {stats['val']:.4f}")

    for micro_step in range(cfg.accum_steps):
        _, loss = model(X, Y)
        loss = loss / cfg.accum_steps
        X, Y = get_batch("train")
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.grad_clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)

    dt = time.time() - t0
    t0 = time.time()
    if it % cfg.log_interval == 0:
        lossf = loss.item() * cfg.accum_steps  # sync: host-read note
        running = lossf if running < 0 else 0.9 * running + 0.1 * lossf
        print(f"iter {it}: loss {lossf:.4f} ({running:.4f}) lr {lr:.2e} time {dt * 1000:.1f}ms")

start = torch.zeros((1, 1), dtype=torch.long, device=cfg.device)
tokens = model.generate(start, 20, top_k=10)
print(tokens[0].tolist())
