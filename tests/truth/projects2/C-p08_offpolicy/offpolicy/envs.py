import numpy as np


class VecPendulum:
    """Batched swing-up pendulum, same equations as the gym one"""
    obs_dim, act_dim = 3, 1

    def __init__(self, num_envs, max_steps=100, seed=0):
        self.num_envs = num_envs
        self.max_steps = max_steps
        self.rng = np.random.default_rng(seed)
        self.th = np.zeros(num_envs)
        self.thd = np.zeros(num_envs)
        self.t = np.zeros(num_envs, dtype=np.int64)
        self.ret = np.zeros(num_envs)

    def _reset(self, m):
        n = m.sum()
        self.th[m] = self.rng.uniform(-np.pi, np.pi, n)
        self.thd[m] = self.rng.uniform(-1, 1, n)
        self.t[m] = 0
        self.ret[m] = 0

    def reset(self):
        self._reset(np.ones(self.num_envs, dtype=bool))
        # de-synchronise the episodes
        self.t[:] = self.rng.integers(0, self.max_steps, self.num_envs)
        return self._obs()

    def _obs(self):
        return np.stack([np.cos(self.th), np.sin(self.th), self.thd], 1).astype(np.float32)

    def step(self, a):
        u = 2.0 * np.clip(a[:, 0], -1, 1)
        th = ((self.th + np.pi) % (2 * np.pi)) - np.pi
        cost = th ** 2 + 0.1 * self.thd ** 2 + 0.001 * u ** 2
        self.thd = np.clip(self.thd + (15.0 * np.sin(self.th) + 3.0 * u) * 0.05, -8, 8)
        self.th = self.th + self.thd * 0.05
        self.t += 1
        self.ret -= cost
        trunc = self.t >= self.max_steps
        info = {"final_obs": self._obs(), "episode_returns": self.ret[trunc].tolist()}
        if trunc.any():
            self._reset(trunc)
        return self._obs(), -cost.astype(np.float32), np.zeros(self.num_envs, dtype=bool), trunc, info
