import argparse
import time

import numpy as np
import torch

from burgers import BurgersData
from fno import FNO2d
from losses import GradNormWeights, ReLoBRaLo, burgers_residual, rel_l2


class PINOSolver:
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(args.seed)
        t0 = time.time()
        self.data = BurgersData(args.n_lab, args.n_unlab, args.n_test, args.nx, args.nt, args.nu, args.T, self.device, args.seed)
        print(f"reference solutions in {time.time() - t0:.1f}s, test |u|max {self.data.test_u.abs().max():.2f}")
        self.model = FNO2d(args.width, hard_ic=args.hard_ic).to(self.device)
        print("parameters:", sum(p.numel() for p in self.model.parameters()))
        self.names = ["data", "pde"] + ([] if args.hard_ic else ["ic"])
        self.balance = {"gradnorm": GradNormWeights, "relobralo": ReLoBRaLo}[args.balance](self.names)
        self.shared = list(self.model.proj1.parameters()) + list(self.model.spec[-1].parameters())
        self.history = []

    def losses(self, u0, u, v0):
        """u0, u labelled; v0 unlabelled. one forward for both"""
        pred = self.model(torch.cat([u0, v0]), self.args.nt)
        res = burgers_residual(pred, self.data.nu, self.data.T)
        out = {"data": rel_l2(pred[:len(u0)], u), "pde": res.pow(2).mean()}
        if not self.args.hard_ic:
            out["ic"] = (pred[:, 0] - torch.cat([u0, v0])).pow(2).mean()
        return out

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        pred = torch.cat([self.model(c, self.args.nt) for c in self.data.test_u0.split(64)])
        err = rel_l2(pred, self.data.test_u).item()
        final = rel_l2(pred[:, -1], self.data.test_u[:, -1]).item()
        res = burgers_residual(pred, self.data.nu, self.data.T).pow(2).mean().sqrt().item()
        # same weights on a twice finer grid in x (zero-shot super-resolution)
        fine = torch.fft.irfft(torch.fft.rfft(self.data.test_u0) * 2, n=2 * self.args.nx)
        sup = self.model(fine[:64], self.args.nt)[..., ::2]
        sr = rel_l2(sup, self.data.test_u[:64]).item()
        self.model.train()
        return {"rel_l2": err, "rel_l2_T": final, "rms_res": res, "superres": sr}

    def adam(self):
        a = self.args
        opt = torch.optim.AdamW(self.model.parameters(), lr=a.lr, weight_decay=1e-5)
        steps = a.epochs * max(a.n_unlab // a.bs_unlab, 1)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=a.lr * 0.05)
        for ep in range(a.epochs):
            t0, agg, n = time.time(), dict.fromkeys(self.names, 0.0), 0
            for u0, u, v0 in self.data.batches(a.bs_lab, a.bs_unlab):
                ls = self.losses(u0, u, v0)
                self.balance.update(ls, self.shared)
                opt.zero_grad()
                self.balance(ls).backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                opt.step()
                sched.step()
                for k in ls:
                    agg[k] += ls[k].item()
                n += 1
            row = {k: v / n for k, v in agg.items()}
            self.history.append(list(row.values()))
            if (ep + 1) % a.log_every == 0 or ep == 0:
                m = self.evaluate()
                print(f"adam {ep + 1:3d} | " + " ".join(f"{k} {v:.2e}" for k, v in row.items())
                      + " | w " + " ".join(f"{k} {self.balance.w[k]:.2f}" for k in self.names)
                      + f" | test {m['rel_l2']:.4f} (T {m['rel_l2_T']:.4f}, sr {m['superres']:.4f}) | {time.time() - t0:.2f}s")

    def lbfgs(self):
        """full batch finish with frozen loss weights"""
        a = self.args
        u0, u = self.data.lab_u0, self.data.lab_u
        v0 = self.data.unl_u0[:a.lbfgs_unlab]
        opt = torch.optim.LBFGS(self.model.parameters(), lr=1.0, max_iter=a.lbfgs_inner, history_size=20,
                                tolerance_grad=1e-9, tolerance_change=1e-12, line_search_fn="strong_wolfe")
        last, evals = {}, 0

        def closure():
            nonlocal evals
            opt.zero_grad()
            ls = self.losses(u0, u, v0)
            loss = self.balance(ls)
            loss.backward()
            last.update({k: v.item() for k, v in ls.items()})
            evals += 1
            return loss

        best = self.evaluate()["rel_l2"]
        best_state = {k: v.clone() for k, v in self.model.state_dict().items()}
        for it in range(a.lbfgs_outer):
            loss = opt.step(closure)
            if not torch.isfinite(loss):
                print("lbfgs diverged, stop")
                break
            m = self.evaluate()
            print(f"lbfgs {it + 1:2d} ({evals} evals) | " + " ".join(f"{k} {v:.2e}" for k, v in last.items())
                  + f" | test {m['rel_l2']:.4f} res {m['rms_res']:.3f}")
            if m["rel_l2"] < best:
                best = m["rel_l2"]
                best_state = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.model.load_state_dict(best_state)

    def run(self):
        self.adam()
        self.lbfgs()
        m = self.evaluate()
        print("final: " + "  ".join(f"{k} {v:.4f}" for k, v in m.items()))
        with torch.no_grad():
            pred = self.model(self.data.test_u0[:4], self.args.nt)
        np.savez(self.args.out, pred=pred.cpu().numpy(), true=self.data.test_u[:4].cpu().numpy(), history=np.array(self.history))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--nx", type=int, default=64)
    p.add_argument("--nt", type=int, default=20)
    p.add_argument("--nu", type=float, default=0.01)
    p.add_argument("--T", type=float, default=1.0)
    p.add_argument("--n-lab", type=int, default=48)
    p.add_argument("--n-unlab", type=int, default=256)
    p.add_argument("--n-test", type=int, default=128)
    p.add_argument("--bs-lab", type=int, default=16)
    p.add_argument("--bs-unlab", type=int, default=32)
    p.add_argument("--width", type=int, default=24)
    p.add_argument("--hard-ic", action="store_true")
    p.add_argument("--balance", default="gradnorm", choices=["gradnorm", "relobralo"])
    p.add_argument("--epochs", type=int, default=25)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--log-every", type=int, default=5)
    p.add_argument("--lbfgs-outer", type=int, default=6)
    p.add_argument("--lbfgs-inner", type=int, default=8)
    p.add_argument("--lbfgs-unlab", type=int, default=64)
    p.add_argument("--out", default="burgers_pred.npz")
    p.add_argument("--seed", type=int, default=0)
    PINOSolver(p.parse_args()).run()
