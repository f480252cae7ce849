from __future__ import annotations

import contextlib
import copy
import json
import math
import os
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from tqdm import tqdm

from ldm.config import Config, from_cli, to_dict
from ldm.data import Shapes
from ldm.diffusion import Diffusion
from ldm.modules import AutoencoderKL, PatchDiscriminator, UNet


class EMA:
    def __init__(self, model, decay):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay
        self.n = 0

    @torch.no_grad()
    def update(self, model):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        for e, p in zip(self.model.parameters(), model.parameters()):
            e.lerp_(p, 1 - d)
        for e, b in zip(self.model.buffers(), model.buffers()):
            e.copy_(b)


def write_ppm(path, img):
    """img: 3xHxW in [-1, 1]"""
    arr = ((img.clamp(-1, 1) + 1) * 127.5).byte().permute(1, 2, 0).contiguous().cpu().numpy()
    with open(path, "wb") as f:
        f.write(b"P6 %d %d 255\n" % (arr.shape[1], arr.shape[0]))
        f.write(arr.tobytes())


def grid(imgs, cols):
    rows = [torch.cat(list(r), 2) for r in imgs.split(cols)]
    return torch.cat([r for r in rows if r.shape[2] == rows[0].shape[2]], 1)


class Trainer:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        ds = Shapes(cfg.n_images, cfg.image_size, cfg.n_classes)
        self.loader = DataLoader(ds, cfg.batch_size, shuffle=True, num_workers=2, drop_last=True,
                                 pin_memory=True, persistent_workers=True)
        self.val_loader = DataLoader(Shapes(128, cfg.image_size, cfg.n_classes, seed=1), 64)
        self.vae = AutoencoderKL(cfg.vae).to(self.device)
        self.disc = PatchDiscriminator().to(self.device)
        self.unet = UNet(cfg.unet, cfg.vae.z_dim, cfg.n_classes).to(self.device)
        self.diffusion = Diffusion(cfg.timesteps, cfg.unet.parameterization, cfg.unet.min_snr_gamma, self.device)
        self.scale = 1.0
        for n in ("vae", "disc", "unet"):
            print(f"{n}: {sum(p.numel() for p in getattr(self, n).parameters()) / 1e6:.2f}M params")
        with open(os.path.join(cfg.out, "config.json"), "w") as f:
            json.dump(to_dict(cfg), f, indent=2)

    def amp(self):
        if self.cfg.precision == "bf16":
            return torch.autocast(self.device.type, dtype=torch.bfloat16)
        return contextlib.nullcontext()

    def adaptive_weight(self, rec, gan):
        g_rec = torch.autograd.grad(rec, self.vae.last_layer, retain_graph=True)[0]
        g_gan = torch.autograd.grad(gan, self.vae.last_layer, retain_graph=True)[0]
        return (g_rec.norm() / (g_gan.norm() + 1e-4)).clamp(0, 1e4).detach()

    # ---- stage 1
    def train_vae(self):
        c = self.cfg.vae
        opt_g = torch.optim.Adam(self.vae.parameters(), lr=c.lr, betas=(0.5, 0.9))
        opt_d = torch.optim.Adam(self.disc.parameters(), lr=c.lr * 0.5, betas=(0.5, 0.9))
        step = 0
        for epoch in range(c.epochs):
            self.vae.train()
            bar = tqdm(self.loader, desc=f"vae {epoch}", mininterval=1.0)
            for x, _ in bar:
                x = x.to(self.device, non_blocking=True)
                with self.amp():
                    rec, post = self.vae(x)
                rec = rec.float()
                l_rec = F.l1_loss(rec, x)
                l_kl = post.kl().mean()
                loss = l_rec + c.kl_weight * l_kl
                if step >= c.disc_start:
                    l_gan = -self.disc(rec).mean()
                    w = self.adaptive_weight(l_rec, l_gan)
                    loss = loss + c.disc_weight * w * l_gan
                opt_g.zero_grad(set_to_none=True)
                loss.backward()
                opt_g.step()
                logs = {"rec": l_rec.item(), "kl": l_kl.item()}
                if step >= c.disc_start:
                    real, fake = self.disc(x), self.disc(rec.detach())
                    l_d = 0.5 * (F.relu(1 - real).mean() + F.relu(1 + fake).mean())
                    opt_d.zero_grad(set_to_none=True)
                    l_d.backward()
                    opt_d.step()
                    logs.update(d=l_d.item(), w=w.item())
                bar.set_postfix({k: f"{v:.3f}" for k, v in logs.items()})
                step += 1
            print(f"[vae] epoch {epoch} val l1 {self.eval_vae():.4f}")

    @torch.no_grad()
    def eval_vae(self):
        self.vae.eval()
        tot = 0.0
        for x, _ in self.val_loader:
            x = x.to(self.device)
            rec = self.vae.decode(self.vae.encode(x).mean)
            tot += F.l1_loss(rec, x).item() * len(x)
        write_ppm(os.path.join(self.cfg.out, "rec.ppm"), grid(torch.cat([x[:8], rec[:8]]), 8))
        return tot / len(self.val_loader.dataset)

    @torch.no_grad()
    def compute_scale(self):
        x, _ = next(iter(self.loader))
        z = self.vae.encode(x.to(self.device)).sample()
        self.scale = 1.0 / z.flatten().std().item()
        self.latent_shape = tuple(z.shape[1:])
        print(f"latent {self.latent_shape} scale factor {self.scale:.4f}")

    # ---- stage 2
    def train_unet(self):
        cfg, c = self.cfg, self.cfg.unet
        self.vae.requires_grad_(False)
        self.vae.eval()
        self.compute_scale()
        ema = EMA(self.unet, cfg.ema_decay)
        opt = torch.optim.AdamW(self.unet.parameters(), lr=c.lr, betas=(0.9, 0.99), weight_decay=0.01)
        total = c.epochs * len(self.loader) // cfg.grad_accum
        sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / cfg.warmup) *
                                                  0.5 * (1 + math.cos(math.pi * min(1.0, s / max(1, total)))))
        gen = torch.Generator(device=self.device)
        bucket_sum, bucket_n = torch.zeros(4), torch.zeros(4)
        for epoch in range(c.epochs):
            self.unet.train()
            t0, running = time.time(), 0.0
            bar = tqdm(self.loader, desc=f"unet {epoch}", mininterval=1.0)
            for i, (x, y) in enumerate(bar):
                x, y = x.to(self.device, non_blocking=True), y.to(self.device, non_blocking=True)
                with torch.no_grad(), self.amp():
                    z = self.vae.encode(x).sample() * self.scale
                drop = torch.rand(len(y), device=self.device) < c.cond_drop
                y[drop] = self.unet.null
                with self.amp():
                    loss, per, t = self.diffusion.loss(self.unet, z, y)
                (loss / cfg.grad_accum).backward()
                if (i + 1) % cfg.grad_accum == 0:
                    gn = torch.nn.utils.clip_grad_norm_(self.unet.parameters(), 1.0)
                    opt.step()
                    sched.step()
                    opt.zero_grad(set_to_none=True)
                    ema.update(self.unet)
                # loss by noise level, like in the IDDPM paper
                b = (t * 4 // cfg.timesteps).cpu()
                bucket_sum.index_add_(0, b, per.cpu())
                bucket_n.index_add_(0, b, torch.ones_like(b, dtype=torch.float))
                running += loss.item()
                if i % 10 == 0:
                    bar.set_postfix(loss=f"{running / (i + 1):.4f}", lr=f"{sched.get_last_lr()[0]:.2e}")
            q = (bucket_sum / bucket_n.clamp(min=1)).tolist()
            print(f"[unet] epoch {epoch} loss {running / len(self.loader):.4f} quartiles "
                  f"{[round(v, 3) for v in q]} gn {gn:.3f} {time.time() - t0:.1f}s")
            bucket_sum.zero_(), bucket_n.zero_()
            self.sample(ema.model, gen.manual_seed(cfg.seed), f"sample_{epoch}.ppm")
            torch.save({"unet": self.unet.state_dict(), "ema": ema.model.state_dict(), "vae": self.vae.state_dict(),
                        "opt": opt.state_dict(), "scale": self.scale, "epoch": epoch},
                       os.path.join(cfg.out, "last.ckpt"))
        return ema.model

    @torch.no_grad()
    def sample(self, model, gen, name, per_class=2):
        cfg = self.cfg
        y = torch.arange(cfg.n_classes, device=self.device).repeat_interleave(per_class)
        stds = []
        with self.amp():
            z = self.diffusion.ddim(model, (len(y), *self.latent_shape), y, self.unet.null, cfg.ddim_steps,
                                    cfg.guidance, cfg.eta, gen, lambda i, x: stds.append(x.std().item()))
            imgs = self.vae.decode(z / self.scale).float()
        print("   latent std along the trajectory:", " ".join(f"{s:.2f}" for s in stds[::3]))
        write_ppm(os.path.join(cfg.out, name), grid(imgs, per_class * 2))
        return imgs


def main():
    cfg = from_cli()
    print(cfg)
    tr = Trainer(cfg)
    tr.train_vae()
    model = tr.train_unet()
    gen = torch.Generator(device=tr.device).manual_seed(1234)
    for g in (1.0, 4.0):
        cfg.guidance = g
        imgs = tr.sample(model, gen, f"final_g{g:.0f}.ppm")
        print(f"guidance {g}: pixel mean {imgs.mean().item():.3f} std {imgs.std().item():.3f}")
    print("outputs in", cfg.out)


if __name__ == "__main__":
    main()
