"""A GPT that learns to write stories: bfloat16 autocast, one matrix for query, key and value, weight decay by group."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.nn import functional as F


@dataclass
class Config:
    block_size: int = 1024
    vocab_size: int = 32000
    n_layer: int = 4
    n_head: int = 16
    n_embd: int = 1024
    batch_size: int = 8
    learning_rate: float = 1e-5


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, self.n_embd = config.n_head, config.n_embd
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=False)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=False)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd, bias=False)
        self.gelu = nn.GELU()
        self.c_proj = nn.Linear(4 * config.n_embd, config.n_embd, bias=False)

    def forward(self, x):
        return self.c_proj(self.gelu(self.c_fc(x)))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.attn = SelfAttention(config)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.mlp = MLP(config)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(
            wte=nn.Embedding(config.vocab_size, config.n_embd),
            wpe=nn.Embedding(config.block_size, config.n_embd),
            h=nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
            ln_f=nn.LayerNorm(config.n_embd)))
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

    def forward(self, idx, targets):
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device)
        x = self.transformer.wte(idx) + self.transformer.wpe(pos)
        for block in self.transformer.h:
            x = block(x)
        logits = self.lm_head(self.transformer.ln_f(x))
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


config = Config()
device = "cuda"
model = GPT(config).to(device)
decayed = [p for p in model.parameters() if p.dim() >= 2]
others = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
                              lr=config.learning_rate, betas=(0.9, 0.95), fused=True)
stories = [torch.randint(0, config.vocab_size, (config.batch_size, config.block_size + 1)) for _ in range(8)]
pinned = [story.pin_memory() for story in stories]
losses = []


def train(steps):
    model.train()
    for it in range(steps):
        text = pinned[it % 8].to(device, non_blocking=True)  #- upload
        #+ upload: text = stories[it % 8].to(device)
        x, y = text[:, :-1].contiguous(), text[:, 1:].contiguous()
        lr = config.learning_rate * min(1.0, (it + 1) / 100)
        for group in optimizer.param_groups:
            group["lr"] = lr
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            logits, loss = model(x, y)
        #+ item-forward: losses.append(loss.item())
        #+ finite: if not torch.isfinite(loss): break
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        #+ item-backward: losses.append(loss.item())
        #+ norm: losses.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
        optimizer.step()
        #+ item-end: losses.append(loss.item())
        #+ perplexity: print(f"iter {it}: loss {loss.item():.4f}, perplexity {math.exp(loss.item()):.2f}")
        #+ sample: last = logits[:, -1, :].float().softmax(-1).multinomial(1).cpu()
        #+ print: print("iter", it, "loss", loss.detach())
        #+ tenth: if it % 10 == 0: print(f"iter {it}: loss {loss.item():.4f}")


if __name__ == "__main__":
    train(1000)
