"""Damped driven-free pendula seen through a fixed random nonlinear sensor."""
import math

import numpy as np
import torch
from torch.utils.data import Dataset


def simulate_pendulum(theta, omega, damping, ts, dt=0.01):
    out = []
    t = 0.0

    def f(s):
        return np.stack([s[1], -4.0 * np.sin(s[0]) - damping * s[1]])

    s = np.stack([theta, omega])
    for target in ts:
        while t < target - 1e-9:
            h = min(dt, target - t)
            k1 = f(s)
            k2 = f(s + 0.5 * h * k1)
            k3 = f(s + 0.5 * h * k2)
            k4 = f(s + h * k3)
            s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            t += h
        out.append(s.copy())
    return np.stack(out)  # T, 2, N


class PendulumSensors(Dataset):
    def __init__(self, n, ts, obs_dim=8, keep=0.6, noise=0.05, seed=0):
        rng = np.random.default_rng(seed)
        theta = rng.uniform(-0.8 * math.pi, 0.8 * math.pi, n)
        omega = rng.normal(0, 1.0, n)
        traj = simulate_pendulum(theta, omega, rng.uniform(0.1, 0.3, n), ts)
        th, om = traj[:, 0], traj[:, 1]
        state = np.stack([np.sin(th), np.cos(th), om / 2], axis=-1)  # T, N, 3
        w = np.random.default_rng(1234).normal(0, 1, (3, obs_dim))  # same sensor for every split
        clean = np.tanh(state @ w).transpose(1, 0, 2)
        noisy = clean + noise * rng.normal(size=clean.shape)
        mask = rng.random(clean.shape) < keep
        mask[:, 0] = True
        self.clean = torch.from_numpy(clean).float()
        self.x = torch.from_numpy(noisy).float()
        self.mask = torch.from_numpy(mask).float()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.mask[i], self.clean[i]
