import argparse
import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset

from vqp.data import N_CLASSES, datasets
from vqp.prior import CodePrior
from vqp.utils import Mean, save_grid
from vqp.vqvae import VQVAE


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--n-train", type=int, default=2560)
    p.add_argument("--n-val", type=int, default=512)
    p.add_argument("--batch-size", type=int, default=128)
    p.add_argument("--vq-epochs", type=int, default=6)
    p.add_argument("--prior-epochs", type=int, default=6)
    p.add_argument("--vq-lr", type=float, default=2e-3)
    p.add_argument("--prior-lr", type=float, default=2e-3)
    p.add_argument("--beta", type=float, default=0.25)
    p.add_argument("--n-codes", type=int, default=128)
    p.add_argument("--mixed-precision", default="bf16", choices=["no", "bf16"])
    p.add_argument("--out", type=Path, default=Path("out"))
    return p.parse_args()


def train_vqvae(acc, args, train_set, val_set):
    model = VQVAE(n_codes=args.n_codes)
    opt = torch.optim.AdamW(model.parameters(), lr=args.vq_lr, betas=(0.9, 0.95), weight_decay=1e-4)
    train_dl = DataLoader(train_set, args.batch_size, shuffle=True, drop_last=True)
    val_dl = DataLoader(val_set, args.batch_size)
    model, opt, train_dl, val_dl = acc.prepare(model, opt, train_dl, val_dl)
    quantizer = acc.unwrap_model(model).quantizer
    for epoch in range(args.vq_epochs):
        model.train()
        t0, meter = time.time(), Mean()
        for x, _ in train_dl:
            rec, _, commit, ppl = model(x)
            rec_loss = F.l1_loss(rec, x) + F.mse_loss(rec, x)
            loss = rec_loss + args.beta * commit
            opt.zero_grad()
            acc.backward(loss)
            acc.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            meter.add(rec=rec_loss, commit=commit, ppl=ppl)
        model.eval()
        val = Mean()
        with torch.no_grad():
            for x, _ in val_dl:
                rec, _, commit, ppl = model(x)
                val.add(mse=F.mse_loss(rec, x), ppl=ppl)
        psnr = 10 * math.log10(4 / max(val.result()["mse"], 1e-12))
        acc.print(f"[vq {epoch}] {meter} | val {val} psnr={psnr:.2f} restarts={quantizer.n_restarts} ({time.time() - t0:.1f}s)")
    save_grid(torch.cat([x[:10], rec[:10]]), args.out / "recon.ppm")
    return acc.unwrap_model(model)


@torch.no_grad()
def extract_codes(vq, dataset, device, batch=256):
    vq.eval()
    codes, labels = [], []
    for x, y in DataLoader(dataset, batch):
        codes.append(vq.encode(x.to(device)).flatten(1).cpu())
        labels.append(y)
    return TensorDataset(torch.cat(codes), torch.cat(labels))


def train_prior(acc, args, train_codes, val_codes):
    side = math.isqrt(train_codes.tensors[0].size(1))
    prior = CodePrior(args.n_codes, N_CLASSES, side)
    opt = torch.optim.AdamW(prior.parameters(), lr=args.prior_lr, weight_decay=0.01)
    train_dl = DataLoader(train_codes, args.batch_size, shuffle=True, drop_last=True)
    val_dl = DataLoader(val_codes, args.batch_size)
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, args.prior_lr, total_steps=args.prior_epochs * len(train_dl), pct_start=0.15
    )
    prior, opt, train_dl, val_dl, sched = acc.prepare(prior, opt, train_dl, val_dl, sched)
    raw = acc.unwrap_model(prior)
    for epoch in range(args.prior_epochs):
        prior.train()
        t0, meter, val = time.time(), Mean(), Mean()
        for seq, label in train_dl:
            loss = raw.loss(prior(seq, label), seq)
            opt.zero_grad()
            acc.backward(loss)
            acc.clip_grad_norm_(prior.parameters(), 1.0)
            opt.step()
            sched.step()
            meter.add(nll=loss)
        prior.eval()
        with torch.no_grad():
            for seq, label in val_dl:
                logits = prior(seq, label)
                val.add(nll=raw.loss(logits, seq), acc=(logits.argmax(-1) == seq).float().mean())
        bits = val.result()["nll"] / math.log(2)
        acc.print(f"[prior {epoch}] {meter} | val {val} bits/code={bits:.3f} ({time.time() - t0:.1f}s)")
    return raw


def main():
    args = parse()
    set_seed(0)
    args.out.mkdir(parents=True, exist_ok=True)
    acc = Accelerator(mixed_precision=args.mixed_precision)
    train_set, val_set = datasets(args.n_train, args.n_val)

    vq = train_vqvae(acc, args, train_set, val_set)
    train_codes = extract_codes(vq, train_set, acc.device)
    val_codes = extract_codes(vq, val_set, acc.device)
    used = train_codes.tensors[0].unique().numel()
    acc.print(f"{used}/{args.n_codes} codes in use")

    prior = train_prior(acc, args, train_codes, val_codes)
    labels = torch.arange(N_CLASSES, device=acc.device).repeat(3)
    samples = vq.decode(prior.sample(labels, temperature=0.9))
    save_grid(samples, args.out / "samples.ppm")
    torch.save({"vqvae": vq.state_dict(), "prior": prior.state_dict(), "codes": args.n_codes}, args.out / "model.pt")


if __name__ == "__main__":
    main()
