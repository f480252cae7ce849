import argparse
import dataclasses
import os
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import DataLoader

from latent_ode import LatentODE, masked_mse
from systems import PendulumSensors


@dataclass
class Config:
    n_train: int = 768
    n_test: int = 128
    batch: int = 64
    epochs: int = 4
    lr: float = 8e-3
    t_end: float = 3.0
    n_times: int = 24
    n_observed: int = 16  # rest is extrapolation
    latent: int = 6
    hidden: int = 64
    rtol: float = 1e-3
    atol: float = 1e-4
    adjoint: int = 1
    kl_anneal: float = 0.98
    curriculum: int = 1  # grow the training horizon
    seed: int = 0
    out: str = "results"

    @classmethod
    def from_cli(cls):
        ap = argparse.ArgumentParser()
        for f in dataclasses.fields(cls):
            ap.add_argument(f"--{f.name}", type=type(f.default), default=f.default)
        return cls(**vars(ap.parse_args()))


@torch.no_grad()
def evaluate(model, loader, t, cfg, device):
    model.eval()
    model.fwd_stats.reset()
    interp, extrap, traj = [], [], None
    k = cfg.n_observed
    for x, mask, clean in loader:
        x, mask, clean = x.to(device), mask.to(device), clean.to(device)
        pred, zs, *_ = model(x[:, :k], mask[:, :k], t[:k], t, sample=False)
        interp.append((pred[:, :k] - clean[:, :k]).pow(2).mean(dim=(1, 2)))
        extrap.append((pred[:, k:] - clean[:, k:]).pow(2).mean(dim=(1, 2)))
        if traj is None:
            traj = (pred[:8].cpu().numpy(), clean[:8].cpu().numpy(), zs[:, :8].cpu().numpy())
    return torch.cat(interp).mean().item(), torch.cat(extrap).mean().item(), traj


@torch.no_grad()
def tolerance_study(model, loader, t, cfg, device):
    """how far is the training tolerance from a tight solve?"""
    x, mask, _ = next(iter(loader))
    k = cfg.n_observed
    mu, _ = model.encoder(x[:, :k].to(device), mask[:, :k].to(device), t[:k])
    old = model.rtol, model.atol
    ref = None
    for tol in (1e-6, 1e-4, 1e-3, 1e-2):
        model.rtol, model.atol = tol, tol * 0.1
        model.fwd_stats.reset()
        z = model.solve(mu, t)
        ref = z if ref is None else ref
        print(f"  tol {tol:.0e}: {model.fwd_stats}  |z - ref| {(z - ref).abs().max().item():.2e}")
    model.rtol, model.atol = old


def main():
    cfg = Config.from_cli()
    torch.manual_seed(cfg.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    os.makedirs(cfg.out, exist_ok=True)

    # irregular but shared time stamps
    rng = np.random.default_rng(cfg.seed)
    ts = np.sort(rng.uniform(0, cfg.t_end, cfg.n_times - 1))
    ts = np.concatenate([[0.0], np.maximum.accumulate(ts + 1e-3 * np.arange(1, cfg.n_times))])
    t = torch.tensor(ts, dtype=torch.float32, device=device)
    train_set = PendulumSensors(cfg.n_train, ts, seed=cfg.seed)
    test_set = PendulumSensors(cfg.n_test, ts, seed=cfg.seed + 1)
    train_loader = DataLoader(train_set, cfg.batch, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, cfg.batch)

    model = LatentODE(
        train_set.x.size(-1), cfg.latent, cfg.hidden, cfg.rtol, cfg.atol, adjoint=bool(cfg.adjoint)
    ).to(device)
    opt = torch.optim.Adamax(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.8)

    it = 0
    history = []
    for epoch in range(cfg.epochs):
        model.train()
        t0 = time.time()
        k = cfg.n_observed
        if cfg.curriculum:
            frac = min(1.0, 0.5 + 0.5 * epoch / max(cfg.epochs - 2, 1))
            k = max(4, int(frac * cfg.n_observed))
        for x, mask, _ in train_loader:
            x, mask = x[:, :k].to(device), mask[:, :k].to(device)
            beta = 1 - cfg.kl_anneal**it
            model.fwd_stats.reset()
            model.bwd_stats.reset()
            pred, _, mu, logvar = model(x, mask, t[:k], t[:k])
            loss, nll, kl = model.elbo(pred, x, mask, mu, logvar, beta)
            opt.zero_grad()
            loss.backward()
            gn = torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            if it % 6 == 0:
                mse = masked_mse(pred.detach(), x, mask).item()
                print(
                    f"it {it:4d} T={k:2d} loss {loss.item():7.3f} nll {nll.item():7.3f} kl {kl.item():6.2f} "
                    f"mse {mse:.4f} |g| {gn.item():5.2f}  fwd {model.fwd_stats}  bwd {model.bwd_stats}"
                )
            history.append((loss.item(), model.fwd_stats.nfe, model.bwd_stats.nfe))
            it += 1
        sched.step()
        interp, extrap, traj = evaluate(model, test_loader, t, cfg, device)
        print(f"== epoch {epoch}: interp {interp:.4f}  extrap {extrap:.4f}  ({time.time() - t0:.1f}s)")

    tolerance_study(model, test_loader, t, cfg, device)
    np.savez(
        os.path.join(cfg.out, "trajectories.npz"),
        t=ts, pred=traj[0], clean=traj[1], latent=traj[2], history=np.array(history),
    )
    torch.save({"cfg": dataclasses.asdict(cfg), "model": model.state_dict()}, os.path.join(cfg.out, "model.pt"))


if __name__ == "__main__":
    main()
