import math

import numpy as np


class Quad2DVec:
    """Planar quadrotor, N copies at once. Fly to the target and stay there.

    state: x, z, theta, vx, vz, omega
    action in [-1, 1]^2: thrust of the left/right rotor around hover
    """

    obs_dim = 8
    act_dim = 2

    def __init__(self, n, seed=0, horizon=150, dt=0.04, wind=0.3):
        self.n, self.horizon, self.dt, self.wind_std = n, horizon, dt, wind
        self.m, self.g, self.arm, self.inertia = 0.5, 9.81, 0.15, 0.012
        self.rng = np.random.default_rng(seed)
        self.s = np.zeros((n, 6))
        self.t = np.zeros(n, dtype=np.int64)
        self.wind = np.zeros(n)
        self.last_a = np.zeros((n, 2))
        self.ret = np.zeros(n)

    def _reset_idx(self, idx):
        k = len(idx)
        self.s[idx] = 0.0
        self.s[idx, 0] = self.rng.uniform(-1.2, 1.2, k)
        self.s[idx, 1] = self.rng.uniform(-1.2, 1.2, k)
        self.s[idx, 2] = self.rng.normal(0, 0.15, k)
        self.s[idx, 3:5] = self.rng.normal(0, 0.2, (k, 2))
        self.wind[idx] = self.rng.normal(0, self.wind_std, k)
        self.t[idx] = 0
        self.last_a[idx] = 0
        self.ret[idx] = 0

    def reset(self):
        self._reset_idx(np.arange(self.n))
        return self._obs()

    def _obs(self):
        s = self.s
        return np.stack(
            [s[:, 0], s[:, 1], np.sin(s[:, 2]), np.cos(s[:, 2]), s[:, 3], s[:, 4], 0.25 * s[:, 5],
             self.t / self.horizon],
            axis=1,
        ).astype(np.float32)

    def _deriv(self, s, thrust):
        th = s[:, 2]
        f = thrust.sum(1) / self.m
        tau = (thrust[:, 1] - thrust[:, 0]) * self.arm / self.inertia
        ax = -np.sin(th) * f + self.wind - 0.2 * s[:, 3]
        az = np.cos(th) * f - self.g - 0.2 * s[:, 4]
        return np.stack([s[:, 3], s[:, 4], s[:, 5], ax, az, tau - 0.5 * s[:, 5]], axis=1)

    def step(self, a):
        a = np.clip(a, -1, 1)
        hover = 0.5 * self.m * self.g
        common, diff = a.mean(1, keepdims=True), 0.5 * (a[:, 1:] - a[:, :1])
        thrust = hover * (1 + 0.6 * common) + 0.08 * np.concatenate([-diff, diff], axis=1)
        # heun, two substeps
        h = self.dt / 2
        for _ in range(2):
            k1 = self._deriv(self.s, thrust)
            k2 = self._deriv(self.s + h * k1, thrust)
            self.s = self.s + 0.5 * h * (k1 + k2)
        self.s[:, 2] = (self.s[:, 2] + math.pi) % (2 * math.pi) - math.pi
        self.t += 1

        dist = np.hypot(self.s[:, 0], self.s[:, 1])
        rew = np.exp(-1.5 * dist) + 0.2 * np.exp(-4 * self.s[:, 2] ** 2)
        rew -= 0.02 * np.square(a - self.last_a).sum(1) + 0.002 * np.square(self.s[:, 5])
        crash = (dist > 3.0) | (np.abs(self.s[:, 2]) > 1.4)
        rew = np.where(crash, -5.0, rew)
        self.last_a = a.copy()
        self.ret += rew
        trunc = (self.t >= self.horizon) & ~crash
        done = crash | trunc

        final_obs = self._obs()
        info = {"final_obs": final_obs, "episodes": [(self.ret[i], self.t[i], dist[i]) for i in np.where(done)[0]]}
        if done.any():
            self._reset_idx(np.where(done)[0])
        return self._obs(), rew.astype(np.float32), crash, trunc, info
