import time

import torch

from model import KVCache


def filter_logits(logits, top_k=0, top_p=1.0):
    if top_k:
        kth = logits.topk(min(top_k, logits.size(-1)), dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    if top_p < 1.0:
        srt, idx = logits.sort(dim=-1, descending=True)
        probs = srt.softmax(-1)
        drop = probs.cumsum(-1) - probs > top_p
        logits = logits.masked_fill(drop.scatter(-1, idx, drop), -torch.inf)
    return logits


@torch.no_grad()
def generate(model, tok, prompt, n_samples=2, max_new=120, temperature=0.8, top_k=40, top_p=0.95, dtype=torch.bfloat16):
    was_training = model.training
    model.eval()
    device = model.wte.weight.device
    ids = torch.tensor([tok.encode(prompt)], device=device).expand(n_samples, -1)
    max_new = min(max_new, model.cfg.block_size - ids.size(1))
    cache = KVCache(model.cfg, n_samples, model.cfg.block_size, device, dtype)
    out, cur = ids, ids
    done = torch.zeros(n_samples, dtype=torch.bool, device=device)
    t0 = time.time()
    for _ in range(max_new):
        with torch.autocast(device.type, dtype=dtype):
            logits = model(cur, cache=cache)[:, -1].float()
        probs = filter_logits(logits / temperature, top_k, top_p).softmax(-1)
        cur = torch.multinomial(probs, 1)
        cur = torch.where(done[:, None], torch.full_like(cur, tok.eot), cur)
        out = torch.cat([out, cur], dim=1)
        done |= cur[:, 0] == tok.eot
        if done.all():
            break
    speed = n_samples * (out.size(1) - ids.size(1)) / (time.time() - t0)
    model.train(was_training)
    return [tok.decode(o).split("\n")[0] for o in out.tolist()], speed


@torch.no_grad()
def perplexity(model, data, block, stride, device, max_windows=24, dtype=torch.bfloat16):
    """Strided perplexity: each token is scored once, with at least block - stride tokens of context."""
    model.eval()
    nll, count, prev_end = 0.0, 0, 0
    for w, begin in enumerate(range(0, len(data) - 1, stride)):
        end = min(begin + block, len(data) - 1)
        x = data[begin:end].to(device)[None]
        y = data[begin + 1 : end + 1].to(device)[None].clone()
        y[:, : prev_end - begin if w else 0] = -1
        with torch.autocast(device.type, dtype=dtype):
            _, loss = model(x, y, reduction="sum")
        nll += loss.item()
        count += int((y != -1).sum())
        prev_end = end
        if end == len(data) - 1 or w + 1 >= max_windows:
            break
    model.train()
    mean = nll / max(count, 1)
    return float(torch.tensor(mean).exp()), mean / 0.6931472
