"""
python train.py --compile --dtype bf16
Prints tokens/s and MFU; writes a chrome trace if --profile.
"""
import argparse
import contextlib
import math
import os
import time

import torch
from torch.profiler import ProfilerActivity, profile, schedule

from data import PackedTokens, Prefetcher
from model import ModelArgs, Transformer
from perf import DeviceMemoryMonitor, JsonLogger, ThroughputMeter

p = argparse.ArgumentParser()
p.add_argument("--steps", type=int, default=40)
p.add_argument("--epochs", type=int, default=2, help="passes of --steps")
p.add_argument("--bsz", type=int, default=8)
p.add_argument("--seq-len", type=int, default=128)
p.add_argument("--grad-accum", type=int, default=2)
p.add_argument("--lr", type=float, default=1e-3)
p.add_argument("--warmup", type=int, default=10)
p.add_argument("--clip", type=float, default=1.0)
p.add_argument("--dtype", choices=["bf16", "fp32"], default="bf16")
p.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
p.add_argument("--profile", action=argparse.BooleanOptionalAction, default=True)
p.add_argument("--log-every", type=int, default=5)
p.add_argument("--eval-every", type=int, default=20)
p.add_argument("--eval-iters", type=int, default=4)
p.add_argument("--out", default="out/tokbench")
args = p.parse_args()

device = "cuda"
torch.manual_seed(1337)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
os.makedirs(args.out, exist_ok=True)

cfg = ModelArgs(max_seq_len=args.seq_len)
train_data = PackedTokens(f"{args.out}/train.bin", 100_000, cfg.vocab_size, 0)
val_data = PackedTokens(f"{args.out}/val.bin", 20_000, cfg.vocab_size, 0)
raw_model = Transformer(cfg).to(device)
model = torch.compile(raw_model) if args.compile else raw_model
n_params = sum(q.numel() for q in raw_model.parameters())
print(f"params: {n_params / 1e6:.2f}M, tokens per step: {args.bsz * args.seq_len * args.grad_accum}")

decay = [q for q in raw_model.parameters() if q.dim() >= 2]
nodecay = [q for q in raw_model.parameters() if q.dim() < 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": nodecay, "weight_decay": 0.0}],
                        lr=args.lr, betas=(0.9, 0.95), fused=True)
amp = torch.autocast(device, dtype=torch.bfloat16) if args.dtype == "bf16" else contextlib.nullcontext()
total_steps = args.steps * args.epochs


def get_lr(it):
    if it < args.warmup:
        return args.lr * (it + 1) / args.warmup
    r = (it - args.warmup) / max(total_steps - args.warmup, 1)
    return 0.1 * args.lr + 0.45 * args.lr * (1 + math.cos(math.pi * r))


@torch.no_grad()
def estimate_loss():
    # the eager model: saves the recompile for no_grad
    raw_model.eval()
    out = {}
    for split, ds in (("train", train_data), ("val", val_data)):
        losses = torch.zeros(args.eval_iters)
        for k in range(args.eval_iters):
            x, y = ds.get_batch(args.bsz, args.seq_len, device)
            with amp:
                losses[k] = raw_model(x, y).item()
        out[split] = losses.mean().item()
    raw_model.train()
    return out


def trace_handler(prof):
    print(prof.key_averages().table(sort_by="self_cuda_time_total", row_limit=8, max_name_column_width=40))
    prof.export_chrome_trace(f"{args.out}/trace_{prof.step_num}.json")


def maybe_profiler():
    if not args.profile:
        return contextlib.nullcontext()
    acts = [ProfilerActivity.CPU]
    if torch.cuda.is_available():
        acts.append(ProfilerActivity.CUDA)
    return profile(activities=acts, schedule=schedule(wait=8, warmup=1, active=2, repeat=1), on_trace_ready=trace_handler)


def train():
    loader = Prefetcher(train_data, args.bsz, args.seq_len, device)
    meter = ThroughputMeter(args.bsz * args.seq_len * args.grad_accum, raw_model.num_flops_per_token(args.seq_len))
    mem, logger = DeviceMemoryMonitor(), JsonLogger(f"{args.out}/log.jsonl")
    best_val, it = float("inf"), 0
    with maybe_profiler() as prof:
        for epoch in range(args.epochs):
            for _ in range(args.steps):
                for g in opt.param_groups:
                    g["lr"] = get_lr(it)
                with meter:
                    loss_accum = torch.zeros((), device=device)
                    for micro in range(args.grad_accum):
                        x, y = loader.next()
                        with amp:
                            loss = model(x, y) / args.grad_accum
                        loss.backward()
                        loss_accum += loss.detach()
                    norm = torch.nn.utils.clip_grad_norm_(raw_model.parameters(), args.clip)
                    opt.step()
                    opt.zero_grad(set_to_none=True)
                if it == 0:
                    print(f"first step (with compile): {meter.times[-1]:.2f}s")
                    meter.times.clear()
                elif it % args.log_every == 0:
                    s, m = meter.stats(), mem.get()
                    print(f"step {it:4d} | loss {loss_accum.item():.4f} | norm {norm:.3f} | lr {get_lr(it):.2e} | {s['ms']:.1f} ms | "
                          f"{s['tok/s']:,.0f} tok/s | mfu {s['mfu']:.2f}% | {m['mem_active_gib']:.2f} GiB")
                    logger.log(it, loss=loss_accum, norm=norm, **s, **m)
                if (it + 1) % args.eval_every == 0:
                    ev = estimate_loss()
                    print(f"step {it:4d} | eval train {ev['train']:.4f} val {ev['val']:.4f}")
                    logger.log(it, eval_train=ev["train"], eval_val=ev["val"])
                    if ev["val"] < best_val:
                        best_val = ev["val"]
                        torch.save({"model": raw_model.state_dict(), "opt": opt.state_dict(), "step": it, "cfg": vars(cfg)},
                                   f"{args.out}/ckpt.pt")
                if prof is not None:
                    prof.step()
                it += 1
    torch.cuda.synchronize()
    logger.close()
    return best_val, meter.stats()


if __name__ == "__main__":
    t0 = time.time()
    best, stats = train()
    print(f"done in {time.time() - t0:.1f}s, best val {best:.4f}, final {stats['tok/s']:,.0f} tok/s")
