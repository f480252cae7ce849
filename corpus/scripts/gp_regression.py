# %% Gaussian process regression and a natural-gradient toy, notebook style (cells at module level)
import math
import os

import numpy as np
import torch
import torch.nn as nn
from tqdm.auto import trange

ITERS = int(os.environ.get("ITERS", 300))
N, N_TEST, D = 256, 64, 3
dev = torch.device("cuda:0")
dtype = torch.float32
torch.manual_seed(0)

# %% data
X_all = np.random.default_rng(0).uniform(-2, 2, size=(N + N_TEST, D)).astype(np.float32)
y_all = np.sin(X_all).sum(1) + 0.05 * np.random.default_rng(1).normal(size=N + N_TEST).astype(np.float32)
X, y = torch.tensor(X_all[:N], device=dev), torch.tensor(y_all[:N], dtype=dtype, device=dev)
Xs, ys = torch.tensor(X_all[N:], device=dev), torch.tensor(y_all[N:], dtype=dtype, device=dev)
print("targets", y.shape, "mean", y.mean())


# %% kernel and likelihood
class RBF(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(d))
        self.log_amp = nn.Parameter(torch.zeros(()))
        self.log_noise = nn.Parameter(torch.tensor(-2.0))

    def forward(self, a, b):
        d2 = torch.cdist(a / self.log_scale.exp(), b / self.log_scale.exp()).square()
        return self.log_amp.exp() * torch.exp(-0.5 * d2)


def neg_log_marginal(kernel, X, y):
    n = X.shape[0]
    K = kernel(X, X) + (kernel.log_noise.exp() + 1e-4) * torch.eye(n, device=X.device)
    L = torch.linalg.cholesky(K)  # sync: linalg-check
    alpha = torch.cholesky_solve(y[:, None], L)
    log_det = 2 * torch.log(torch.diagonal(L)).sum()
    return 0.5 * (y @ alpha[:, 0] + log_det + n * math.log(2 * math.pi)) / n


def predict(kernel, X, y, Xs):
    K = kernel(X, X) + (kernel.log_noise.exp() + 1e-4) * torch.eye(len(X), device=X.device)
    L, info = torch.linalg.cholesky_ex(K)
    Ks = kernel(X, Xs)
    mean = Ks.t() @ torch.cholesky_solve(y[:, None], L)
    v = torch.linalg.solve_triangular(L, Ks, upper=False)
    var = kernel.log_amp.exp() - v.square().sum(0)
    return mean[:, 0], var.clamp_min(1e-6)


# %% fit
kernel = RBF(D).to(dev)
opt = torch.optim.Adam(kernel.parameters(), lr=0.05)
best, best_state, trace = float("inf"), None, []
bar = trange(ITERS, disable=False)
for it in bar:
    opt.zero_grad()
    nll = neg_log_marginal(kernel, X, y)
    nll.backward()
    opt.step()
    bar.set_postfix(nll=nll, lr=opt.param_groups[0]["lr"])  # sync: print-tensor
    if nll < best:  # sync: tensor-truth
        best = nll.detach()
        best_state = {k: v.detach().clone() for k, v in kernel.state_dict().items()}
    if it % 10 == 0:
        with torch.no_grad():
            mean, var = predict(kernel, X, y, Xs)
            rmse = math.sqrt(((mean - ys) ** 2).mean())  # sync: host-read note
            cover = ((ys - mean).abs() < 2 * var.sqrt()).float().mean()
        trace.append((it, rmse))
        print(it, "rmse", round(rmse, 4), "noise", kernel.log_noise.exp().detach(), "cover %.2f" % cover)  # sync: print-tensor note, host-read note
kernel.load_state_dict(best_state)

# %% sequential Bayesian linear regression on the residuals
P = torch.eye(D, device=dev)
w = torch.zeros(D, device=dev)
with torch.no_grad():
    resid = y - predict(kernel, X, y, X)[0]
for i in range(0, N, 32):
    Xi, ri = X[i:i + 32], resid[i:i + 32]
    S = Xi @ P @ Xi.t() + 0.1 * torch.eye(len(Xi), device=dev)
    G = torch.linalg.solve(S, Xi @ P).t()  # sync: linalg-check
    w = w + G @ (ri - Xi @ w)
    P = P - G @ Xi @ P
    P = 0.5 * (P + P.t())
    spectrum = torch.linalg.eigvalsh(P)  # sync: linalg-check
    cond = spectrum[-1] / spectrum[0].clamp_min(1e-9)
    print("block", i // 32, cond)  # sync: print-tensor
    assert bool((spectrum > -1e-4).all()), "covariance is not positive"  # sync: host-read
print("weights", w.cpu().numpy().round(4), "best nll", float(best), "points in trace", len(trace))

# %% sanity check on the CPU: nothing of this touches the GPU
Kc = np.exp(-0.5 * ((X_all[:8, None] - X_all[None, :8]) ** 2).sum(-1))
for _ in range(3):
    ev = np.linalg.eigvalsh(Kc)
    Kc_t = torch.from_numpy(Kc)
    if torch.linalg.cholesky(Kc_t + torch.eye(8)).diagonal().min() > 0:
        print("smallest eigenvalue", ev.min().item())
