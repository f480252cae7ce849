"""Neural ODE with an adaptive solver of one's own: error control decided in Python."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class ODEFunc(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 64), nn.Tanh(), nn.Linear(64, dim))
        self.nfe = 0

    def forward(self, t, x):
        self.nfe += 1
        tt = torch.ones_like(x[:, :1]) * t
        return self.net(torch.cat([tt, x], -1))


class Dopri5:
    def __init__(self, func, rtol=1e-5, atol=1e-6, max_steps=1000):
        self.func = func
        self.rtol = rtol
        self.atol = atol
        self.max_steps = max_steps

    def error_ratio(self, error, y0, y1):
        tol = self.atol + self.rtol * torch.max(y0.abs(), y1.abs())
        return (error / tol).pow(2).mean().sqrt()

    def step(self, t, y, h):
        k1 = self.func(t, y)
        k2 = self.func(t + h / 5, y + h * k1 / 5)
        k3 = self.func(t + 3 * h / 10, y + h * (3 * k1 / 40 + 9 * k2 / 40))
        y1 = y + h * (k1 + k2 + 4 * k3) / 6
        error = h * (k1 - 2 * k2 + k3) / 6
        return y1, error

    def integrate(self, y0, ts):
        t, h = ts[0], (ts[-1] - ts[0]) / 20
        y = y0
        out = [y0]
        n = 0
        for target in ts[1:]:
            while t < target:  # sync: tensor-truth
                assert n < self.max_steps
                h = min(h, target - t)  # sync: tensor-truth
                y1, error = self.step(t, y, h)
                ratio = self.error_ratio(error, y, y1)
                if ratio <= 1:  # sync: tensor-truth
                    t = t + h
                    y = y1
                factor = min(5.0, max(0.2, 0.9 * float(ratio) ** -0.2))  # sync: host-read
                h = h * factor
                if torch.isnan(y).any():  # sync: tensor-truth
                    raise RuntimeError("nan")
                n += 1
            out.append(y)
        return torch.stack(out), n


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    func = ODEFunc(2).to(device)
    solver = Dopri5(func)
    optimizer = torch.optim.RMSprop(func.parameters(), lr=1e-3)
    true_y = torch.randn(100, 128, 2).to(device)
    t = torch.linspace(0.0, 25.0, 100).to(device)
    ema = None
    for itr in range(2000):
        optimizer.zero_grad()
        s = torch.randint(0, 90, (1,)).item()
        pred, steps = solver.integrate(true_y[s], t[s : s + 10])
        loss = F.l1_loss(pred, true_y[s : s + 10])
        loss.backward()
        optimizer.step()
        ema = loss.item() if ema is None else 0.97 * ema + 0.03 * loss.item()  # sync: host-read
        if itr % 20 == 0:
            print("Iter {:04d} | Total Loss {:.6f} | nfe {}".format(itr, loss.item(), func.nfe))  # sync: host-read note


if __name__ == "__main__":
    main()
