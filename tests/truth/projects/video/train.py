import argparse
import contextlib
import json
import math
import time
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from config import DataConfig, TrainConfig
from dataset import MotionClips
from model import VideoNet

device = "cuda" if torch.cuda.is_available() else "cpu"
device_type = device


def get_lr(it, cfg, total):
    if it < cfg.warmup_steps:
        return cfg.lr * (it + 1) / cfg.warmup_steps
    ratio = (it - cfg.warmup_steps) / max(1, total - cfg.warmup_steps)
    return 0.1 * cfg.lr + 0.45 * cfg.lr * (1 + math.cos(math.pi * ratio))


def topk_correct(logits, y, ks=(1, 3)):
    pred = logits.topk(max(ks), dim=-1).indices
    hit = pred.eq(y[:, None])
    return {k: hit[:, :k].any(-1).sum().item() for k in ks}


@torch.no_grad()
def evaluate(model, loader, ctx):
    model.eval()
    losses, clip_top1, n = [], 0, 0
    video_logits, video_labels = defaultdict(list), {}
    for clip, y, vid in loader:
        clip, y = clip.to(device, non_blocking=True), y.to(device, non_blocking=True)
        with ctx:
            logits = model(clip)
            loss = F.cross_entropy(logits, y)
        losses.append(loss)
        clip_top1 += (logits.argmax(-1) == y).sum().item()
        n += len(y)
        # average clips of one video
        for v, lg, lab in zip(vid.tolist(), logits.float().softmax(-1).cpu(), y.tolist()):
            video_logits[v].append(lg)
            video_labels[v] = lab
    agg = torch.stack([torch.stack(v).mean(0) for v in video_logits.values()])
    labs = torch.tensor(list(video_labels.values()))
    correct = topk_correct(agg, labs)
    model.train()
    return {
        "loss": torch.stack(losses).mean().item(),
        "clip_acc1": clip_top1 / n,
        "video_acc1": correct[1] / len(labs),
        "video_acc3": correct[3] / len(labs),
    }


def main(cfg: TrainConfig):
    torch.manual_seed(cfg.seed)
    torch.set_float32_matmul_precision("high")
    cfg.out_dir.mkdir(parents=True, exist_ok=True)
    (cfg.out_dir / "config.json").write_text(json.dumps(cfg.to_dict(), indent=2, default=str))

    train_loader = DataLoader(MotionClips(cfg.data, "train"), cfg.data.batch_size, shuffle=True, drop_last=True,
                              num_workers=cfg.data.num_workers, pin_memory=device == "cuda")
    val_loader = DataLoader(MotionClips(cfg.data, "val"), cfg.data.batch_size * 2, pin_memory=device == "cuda")

    model = VideoNet(cfg.data.num_classes, cfg.data.clip_len).to(device)
    print(f"params: {sum(p.numel() for p in model.parameters()) / 1e6:.2f}M")
    raw_model = model
    if cfg.compile:
        model = torch.compile(model)
    ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16}[cfg.dtype]
    ctx = contextlib.nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type, dtype=ptdtype)

    decay = [p for p in model.parameters() if p.dim() >= 2]
    nodecay = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": cfg.weight_decay}, {"params": nodecay, "weight_decay": 0.0}],
        lr=cfg.lr, fused=device == "cuda")

    total_steps = cfg.epochs * (len(train_loader) // cfg.grad_accum_steps)
    step, best = 0, 0.0
    log = (cfg.out_dir / "metrics.jsonl").open("w")
    t0 = time.time()
    for epoch in range(cfg.epochs):
        model.train()
        loss_accum, correct, seen = 0.0, 0, 0
        for micro_step, (clip, y, _) in enumerate(train_loader):
            clip, y = clip.to(device, non_blocking=True), y.to(device, non_blocking=True)
            with ctx:
                logits = model(clip)
                loss = F.cross_entropy(logits, y, label_smoothing=cfg.label_smoothing) / cfg.grad_accum_steps
            loss.backward()
            loss_accum += loss.detach()
            correct += (logits.argmax(-1) == y).sum()
            seen += y.numel()
            if (micro_step + 1) % cfg.grad_accum_steps != 0:
                continue

            lr = get_lr(step, cfg, total_steps)
            for group in optimizer.param_groups:
                group["lr"] = lr
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.max_grad_norm)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1

            if step % cfg.log_every == 0:
                if device == "cuda":
                    torch.cuda.synchronize()
                dt = time.time() - t0
                t0 = time.time()
                print(f"step {step:4d}/{total_steps} | loss {loss_accum.item() / cfg.log_every:.4f} "
                      f"| acc {correct.item() / seen:.3f} | norm {norm.item():.3f} | lr {lr:.2e} "
                      f"| {seen / dt:.1f} clips/s")
                loss_accum, correct, seen = 0.0, 0, 0

            if step % cfg.eval_every == 0:
                metrics = evaluate(model, val_loader, ctx)
                print("  val " + " ".join(f"{k}={v:.4f}" for k, v in metrics.items()))
                log.write(json.dumps({"step": step, "epoch": epoch, **metrics}) + "\n")
                log.flush()
                if metrics["video_acc1"] >= best:
                    best = metrics["video_acc1"]
                    torch.save(raw_model.state_dict(), cfg.out_dir / "best.pt")
            if step % cfg.save_every == 0:
                torch.save({"model": raw_model.state_dict(), "optimizer": optimizer.state_dict(), "step": step},
                           cfg.out_dir / "last.pt")
    log.close()
    print(f"done, best video acc@1 {best:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--batch-size", type=int, default=4)
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--compile", action="store_true")
    a = ap.parse_args()
    main(TrainConfig(epochs=a.epochs, grad_accum_steps=a.accum, compile=a.compile,
                     data=DataConfig(batch_size=a.batch_size)))
