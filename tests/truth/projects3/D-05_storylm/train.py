"""
Train a small char LM.   python train.py max_iters=1000 n_layer=6
Any global below can be overridden by key=value.
"""
import math
import os
import sys
import time
from ast import literal_eval
from contextlib import nullcontext

import torch

import corpus
from model import GPT, GPTConfig
from sample import generate, perplexity

out_dir = "out"
max_iters = 160
eval_interval = 40
sample_interval = 80
log_interval = 10
batch_size = 32
grad_accum = 2
block_size = 256
n_layer, n_head, n_kv_head, n_embd = 4, 6, 2, 192
dropout = 0.0
lr, min_lr, warmup = 2e-3, 2e-4, 20
betas = (0.9, 0.95)
weight_decay = 0.1
grad_clip = 1.0
seed = 1337
prompt = "One day, "
for arg in sys.argv[1:]:
    k, v = arg.split("=", 1)
    assert k in globals(), k
    try:
        v = literal_eval(v)
    except (ValueError, SyntaxError):
        pass
    globals()[k] = v

torch.manual_seed(seed)
torch.set_float32_matmul_precision("high")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
ctx = torch.autocast("cuda", dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()
os.makedirs(out_dir, exist_ok=True)

tok, train_data, val_data = corpus.build(seed=seed)
print(f"{len(train_data):,} train / {len(val_data):,} val tokens, vocab {len(tok)}")


def get_batch(data):
    ix = torch.randint(len(data) - block_size - 1, (batch_size,))
    win = torch.stack([data[i : i + block_size + 1] for i in ix.tolist()])
    if device.type == "cuda":
        win = win.pin_memory().to(device, non_blocking=True)
    return win[:, :-1], win[:, 1:]


def lr_at(it):
    if it < warmup:
        return lr * (it + 1) / warmup
    t = (it - warmup) / max(1, max_iters - warmup)
    return min_lr + 0.5 * (1 + math.cos(math.pi * t)) * (lr - min_lr)


cfg = GPTConfig(len(tok), block_size, n_layer, n_head, n_kv_head, n_embd, dropout)
model = GPT(cfg).to(device)
decay = [p for p in model.parameters() if p.dim() >= 2]
rest = [p for p in model.parameters() if p.dim() < 2]
opt = torch.optim.AdamW(
    [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}],
    lr=lr, betas=betas, fused=device.type == "cuda",
)
print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.2f}M parameters")

best_ppl = float("inf")
x, y = get_batch(train_data)
t0 = time.time()
for it in range(max_iters + 1):
    if it % eval_interval == 0:
        ppl, bpc = perplexity(model, val_data, block_size, block_size // 2, device)
        print(f"-- iter {it}: val ppl {ppl:.3f}  bits/char {bpc:.3f}")
        if ppl < best_ppl and it > 0:
            best_ppl = ppl
            ckpt = {"model": model.state_dict(), "opt": opt.state_dict(), "cfg": vars(cfg), "iter": it, "ppl": ppl}
            torch.save(ckpt, os.path.join(out_dir, "ckpt.pt"))
    if it > 0 and it % sample_interval == 0:
        texts, tps = generate(model, tok, prompt)
        for s in texts:
            print("   >", s)
        print(f"   ({tps:.0f} tok/s)")
    if it == max_iters:
        break

    for g in opt.param_groups:
        g["lr"] = lr_at(it)
    total = torch.zeros((), device=device)
    for _ in range(grad_accum):
        with ctx:
            _, loss = model(x, y)
        x, y = get_batch(train_data)  # prefetch while the gpu works
        (loss / grad_accum).backward()
        total += loss.detach() / grad_accum
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    opt.step()
    opt.zero_grad(set_to_none=True)

    if it % log_interval == 0:
        dt = (time.time() - t0) / (log_interval if it else 1)
        t0 = time.time()
        print(f"iter {it:4d} loss {total.item():.4f} norm {norm.item():.2f} lr {lr_at(it):.2e} {dt * 1000:.0f} ms/it")
print(f"best val ppl {best_ppl:.3f}")
