import argparse
import math
import os
import time
from contextlib import nullcontext

import torch

from data import Task, prepare
from llama.generation import Llama
from llama.model import ModelArgs, Transformer

# -----------------------------------------------------------------------------
parser = argparse.ArgumentParser()
parser.add_argument("--out_dir", default="/tmp/tinyllama_out")
parser.add_argument("--vocab_size", type=int, default=420)
parser.add_argument("--block_size", type=int, default=192)
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--grad_accum", type=int, default=2)
parser.add_argument("--max_iters", type=int, default=80)
parser.add_argument("--warmup_iters", type=int, default=10)
parser.add_argument("--eval_interval", type=int, default=40)
parser.add_argument("--eval_iters", type=int, default=10)
parser.add_argument("--log_interval", type=int, default=1)
parser.add_argument("--learning_rate", type=float, default=1e-3)
parser.add_argument("--min_lr", type=float, default=1e-4)
parser.add_argument("--weight_decay", type=float, default=0.1)
parser.add_argument("--grad_clip", type=float, default=1.0)
parser.add_argument("--dtype", default="bfloat16", choices=["float32", "bfloat16", "float16"])
parser.add_argument("--seed", type=int, default=1337)
args = parser.parse_args()
# -----------------------------------------------------------------------------

torch.manual_seed(args.seed)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
device = "cuda" if torch.cuda.is_available() else "cpu"
device_type = "cuda" if "cuda" in device else "cpu"
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[args.dtype]
ctx = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=ptdtype)

tokenizer = prepare(os.path.join(args.out_dir, "data"), args.vocab_size)
task = Task(os.path.join(args.out_dir, "data"), args.batch_size, args.block_size, device)

margs = ModelArgs(vocab_size=tokenizer.n_words, max_seq_len=args.block_size)
model = Transformer(margs).to(device)
print(f"{model.num_params() / 1e6:.2f}M parameters, vocab {tokenizer.n_words}")
optimizer = model.configure_optimizers(args.weight_decay, args.learning_rate, (0.9, 0.95))
scaler = torch.amp.GradScaler(enabled=(args.dtype == "float16"))
generator = Llama(model, tokenizer)


def get_lr(it):
    if it < args.warmup_iters:
        return args.learning_rate * (it + 1) / args.warmup_iters
    ratio = (it - args.warmup_iters) / max(1, args.max_iters - args.warmup_iters)
    return args.min_lr + 0.5 * (1.0 + math.cos(math.pi * min(ratio, 1.0))) * (args.learning_rate - args.min_lr)


@torch.no_grad()
def estimate_loss():
    out = {}
    model.eval()
    for split in ["train", "val"]:
        losses = torch.zeros(args.eval_iters)
        for k in range(args.eval_iters):
            X, Y = task.get_batch(split)
            with ctx:
                _, loss = model(X, Y)
            losses[k] = loss.item()
        out[split] = losses.mean()
    model.train()
    return out


@torch.no_grad()
def perplexity(split="val"):
    model.eval()
    nll, count = 0.0, 0
    for x, y in task.sequential(split):
        with ctx:
            _, loss = model(x, y)
        nll += loss.item() * y.numel()
        count += y.numel()
    model.train()
    return math.exp(nll / count)


best_val_loss = 1e9
tokens_per_iter = args.grad_accum * args.batch_size * args.block_size
X, Y = task.get_batch("train")
t0 = time.time()
running_tps = -1.0
for it in range(args.max_iters + 1):
    lr = get_lr(it)
    for g in optimizer.param_groups:
        g["lr"] = lr

    if it % args.eval_interval == 0:
        losses = estimate_loss()
        print(f"step {it}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        if losses["val"] < best_val_loss:
            best_val_loss = losses["val"]
            if it > 0:
                torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                            "model_args": vars(margs), "iter_num": it, "best_val_loss": best_val_loss},
                           os.path.join(args.out_dir, "ckpt.pt"))
    if it == args.max_iters:
        break

    for micro_step in range(args.grad_accum):
        with ctx:
            logits, loss = model(X, Y)
            loss = loss / args.grad_accum
        # immediately async prefetch next batch while model is doing the forward pass on the GPU
        X, Y = task.get_batch("train")
        scaler.scale(loss).backward()
    if args.grad_clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)

    t1 = time.time()
    dt = t1 - t0
    t0 = t1
    if it % args.log_interval == 0:
        lossf = loss.item() * args.grad_accum
        tps = tokens_per_iter / dt
        running_tps = tps if running_tps < 0 else 0.9 * running_tps + 0.1 * tps
        print(f"{it} | loss {lossf:.4f} | lr {lr:e} | {dt * 1000:.2f}ms | {running_tps:.0f} tok/s")

model.eval()
print(f"val ppl {perplexity():.2f}")
for prompt, text in zip(["Once upon a time, Anna", "The fox was"],
                        generator.generate(["Once upon a time, Anna", "The fox was"])):
    print("-" * 40)
    print(prompt + text)
