"""Vectorised control tasks, pure torch. Every env instance is a row; no python loop over envs."""
import math
import torch


class VecEnv:
    obs_dim = None
    act_dim = None
    horizon = 200
    dt = 0.05

    def __init__(self, n, device, dtype=torch.float32):
        self.n = n
        self.device = device
        self.dtype = dtype
        self.t = 0

    def rand(self, *shape):
        return torch.rand(*shape, device=self.device, dtype=self.dtype)


class CartPoleSwingUp(VecEnv):
    """continuous cart-pole, starts hanging down; reward for upright pole near the centre"""
    obs_dim, act_dim = 5, 1
    mc, mp, l, g, fmag = 1.0, 0.1, 0.5, 9.82, 10.0
    dt = 0.03
    x_limit = 2.4

    def reset(self, seeds=None):
        self.t = 0
        u = self.rand(self.n, 4) if seeds is None else seeds[:, :4]
        noise = (u - 0.5) * 0.2
        self.x, self.xd = noise[:, 0].clone(), noise[:, 1].clone()
        self.th, self.thd = math.pi + noise[:, 2], noise[:, 3].clone()
        self.alive = torch.ones(self.n, device=self.device, dtype=self.dtype)
        return self._obs()

    def _obs(self):
        return torch.stack([self.x, self.xd, self.th.cos(), self.th.sin(), self.thd], dim=1)

    def step(self, a):
        f = self.fmag * a[:, 0].clamp(-1, 1)
        s, c = self.th.sin(), self.th.cos()
        m = self.mc + self.mp
        tmp = (f + self.mp * self.l * self.thd ** 2 * s) / m
        thacc = (self.g * s - c * tmp) / (self.l * (4.0 / 3.0 - self.mp * c ** 2 / m))
        xacc = tmp - self.mp * self.l * thacc * c / m
        self.xd = self.xd + self.dt * xacc
        self.x = self.x + self.dt * self.xd
        self.thd = (self.thd + self.dt * thacc).clamp(-20, 20)
        self.th = self.th + self.dt * self.thd
        self.alive = self.alive * (self.x.abs() < self.x_limit).to(self.dtype)
        r = (0.5 + 0.5 * self.th.cos()) * (self.x / self.x_limit * math.pi / 2).cos().clamp(min=0)
        self.t += 1
        return self._obs(), r * self.alive, self.t >= self.horizon


class Reacher2(VecEnv):
    """two-link planar arm with torque control, random target"""
    obs_dim, act_dim = 8, 2
    horizon = 120

    def reset(self, seeds=None):
        self.t = 0
        u = self.rand(self.n, 4) if seeds is None else seeds[:, :4]
        self.q = (u[:, :2] - 0.5) * math.pi
        self.qd = torch.zeros_like(self.q)
        rad, ang = 0.4 + 0.5 * u[:, 2], 2 * math.pi * u[:, 3]
        self.goal = torch.stack([rad * ang.cos(), rad * ang.sin()], dim=1)
        return self._obs()

    def tip(self):
        a, b = self.q[:, 0], self.q[:, 0] + self.q[:, 1]
        return torch.stack([0.5 * a.cos() + 0.5 * b.cos(), 0.5 * a.sin() + 0.5 * b.sin()], dim=1)

    def _obs(self):
        return torch.cat([self.q.cos(), self.q.sin(), self.qd * 0.2, self.goal - self.tip()], dim=1)

    def step(self, a):
        a = a.clamp(-1, 1)
        self.qd = (self.qd + self.dt * (12.0 * a - 1.5 * self.qd)).clamp(-8, 8)
        self.q = self.q + self.dt * self.qd
        dist = (self.goal - self.tip()).norm(dim=1)
        r = torch.exp(-4 * dist) - 0.01 * a.pow(2).sum(1)
        self.t += 1
        return self._obs(), r, self.t >= self.horizon


ENVS = {"swingup": CartPoleSwingUp, "reacher": Reacher2}
