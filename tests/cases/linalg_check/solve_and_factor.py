"""Factorisations look at LAPACK's info on the host; the _ex forms do not."""
import torch

device = torch.device("cuda")
a = torch.randn(64, 64, device=device)
spd = a @ a.t() + 64 * torch.eye(64, device=device)
b = torch.randn(64, 8, device=device)
for step in range(50):
    spd = spd + 0.1 * torch.eye(64, device=device)
    lower = torch.linalg.cholesky(spd)  # sync: linalg-check
    inv = torch.linalg.inv(spd)  # sync: linalg-check
    same = torch.inverse(spd)  # sync: linalg-check
    x = torch.linalg.solve(spd, b)  # sync: linalg-check
    values, vectors = torch.linalg.eigh(spd)  # sync: linalg-check
    u, s, v = torch.linalg.svd(b)  # sync: linalg-check
    quick, info = torch.linalg.cholesky_ex(spd)
    xs, info = torch.linalg.solve_ex(spd, b)
    q, r = torch.linalg.qr(b)
    norm = torch.linalg.norm(x)
    det = torch.linalg.slogdet(spd)
