"""Token-by-token generation with a key-value cache: greedy, nucleus sampling, beam of one prompt at a time."""
import argparse
import time
from dataclasses import dataclass, field
from typing import List, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GenConfig:
    max_new_tokens: int = 40
    temperature: float = 0.8
    top_p: float = 0.9
    repetition_penalty: float = 1.1
    eos_token_id: int = 3
    pad_token_id: int = 0
    bad_words: List[int] = field(default_factory=lambda: [1, 2])
    seed: Optional[int] = 0


class CachedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, past=None):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=past is None and t > 1)
        return self.proj(y.transpose(1, 2).reshape(b, t, d)), (k, v)


class TinyLM(nn.Module):
    def __init__(self, vocab=256, dim=64, layers=2, heads=4, max_len=256):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(max_len, dim)
        self.attn = nn.ModuleList([CachedAttention(dim, heads) for _ in range(layers)])
        self.mlp = nn.ModuleList([nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU()) for _ in range(layers)])
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids, cache=None):
        offset = 0 if cache is None else cache[0][0].shape[2]
        pos = torch.arange(offset, offset + ids.shape[1], device=ids.device)
        x = self.tok(ids) + self.pos(pos)
        new_cache = []
        for i, (attn, mlp) in enumerate(zip(self.attn, self.mlp)):
            y, kv = attn(x, None if cache is None else cache[i])
            new_cache.append(kv)
            x = x + y
            x = x + mlp(x)
        return self.head(x), new_cache


def top_p_filter(logits, top_p):
    sorted_logits, sorted_indices = torch.sort(logits, descending=True)
    cumulative = torch.cumsum(F.softmax(sorted_logits, dim=-1), dim=-1)
    remove = cumulative > top_p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = 0
    indices_to_remove = remove.scatter(1, sorted_indices, remove)
    logits[indices_to_remove] = float("-inf")
    return logits


def apply_repetition_penalty(logits, generated, penalty):
    score = torch.gather(logits, 1, generated)
    score = torch.where(score < 0, score * penalty, score / penalty)
    return logits.scatter(1, generated, score)


@torch.inference_mode()
def greedy(model, prompt, cfg):
    device = next(model.parameters()).device
    ids = torch.tensor([prompt], device=device)  # sync: tensor-from-host
    logits, cache = model(ids)
    output = []
    for _ in range(cfg.max_new_tokens):
        next_id = logits[0, -1].argmax()
        if next_id == cfg.eos_token_id:  # sync: tensor-truth
            break
        output.append(next_id.item())  # sync: host-read
        logits, cache = model(next_id.view(1, 1), cache)
    return output


@torch.inference_mode()
def sample_batch(model, prompts, cfg):
    device = next(model.parameters()).device
    ids = torch.tensor(prompts).to(device)  # sync: copy-to-device
    finished = torch.zeros(ids.shape[0], dtype=torch.bool, device=device)
    cache, current, steps = None, ids, 0
    while not finished.all() and steps < cfg.max_new_tokens:  # sync: tensor-truth
        logits, cache = model(current, cache)
        logits = logits[:, -1].float()
        logits = apply_repetition_penalty(logits, ids, cfg.repetition_penalty)
        logits[:, cfg.bad_words] = float("-inf")  # sync: index-from-host
        logits = top_p_filter(logits / cfg.temperature, cfg.top_p)
        next_ids = torch.multinomial(F.softmax(logits, dim=-1), 1)
        next_ids = next_ids.masked_fill(finished[:, None], cfg.pad_token_id)
        finished = finished | (next_ids[:, 0] == cfg.eos_token_id)
        ids = torch.cat([ids, next_ids], dim=1)
        current = next_ids
        steps += 1
    return ids.cpu().tolist()  # sync: copy-to-host


def stream(model, prompt, cfg, callback):
    """Yields text pieces one by one; the callback sees every token."""
    device = next(model.parameters()).device
    ids = torch.tensor(prompt, device=device).unsqueeze(0)
    cache = None
    with torch.no_grad():
        for i in range(cfg.max_new_tokens):
            logits, cache = model(ids, cache)
            probs = torch.softmax(logits[:, -1] / cfg.temperature, -1)
            ids = torch.multinomial(probs, 1)
            token = int(ids)  # sync: host-read
            callback(token, probs[0, token])
            if token == cfg.eos_token_id:
                return
            yield chr(65 + token % 26)


class LogProbs:
    def __init__(self):
        self.values = []

    def __call__(self, token, prob):
        self.values.append((token, prob.log().item()))  # sync: host-read


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--prompts", type=int, default=8)
    parser.add_argument("--new-tokens", type=int, default=40)
    args = parser.parse_args()
    cfg = GenConfig(max_new_tokens=args.new_tokens)
    torch.manual_seed(cfg.seed)
    device = torch.device("cuda")
    model = TinyLM().to(device).eval()
    prompts = [[4 + i, 5, 6, 7] for i in range(args.prompts)]

    t0 = time.perf_counter()
    for p in prompts:
        print(p, "->", greedy(model, p, cfg)[:8])
    print(f"greedy: {time.perf_counter() - t0:.2f}s")
    for start in range(0, len(prompts), 4):
        batch = sample_batch(model, prompts[start:start + 4], cfg)
        print([len(row) for row in batch])
    log_probs = LogProbs()
    print("".join(stream(model, prompts[0], cfg, log_probs)))
    print("mean log prob", sum(v for _, v in log_probs.values) / max(1, len(log_probs.values)))


if __name__ == "__main__":
    main()
