import numpy as np
import torch


class SumTree:
    def __init__(self, capacity):
        self.capacity = 1
        while self.capacity < capacity:
            self.capacity *= 2
        self.tree = np.zeros(2 * self.capacity)

    def set(self, idx, value):
        i = np.asarray(idx) + self.capacity
        self.tree[i] = value
        i = np.unique(i // 2)
        while i[0] >= 1:
            self.tree[i] = self.tree[2 * i] + self.tree[2 * i + 1]
            if i[0] == 1:
                break
            i = np.unique(i // 2)

    def total(self):
        return self.tree[1]

    def get(self, idx):
        return self.tree[np.asarray(idx) + self.capacity]

    def find(self, mass):
        i = np.ones(len(mass), dtype=np.int64)
        mass = mass.copy()
        while i[0] < self.capacity:
            left = self.tree[2 * i]
            go = mass > left
            mass = np.where(go, mass - left, mass)
            i = 2 * i + go
        return i - self.capacity


class PrioritizedReplay:
    def __init__(self, obs_dim, act_dim, size, device, alpha=0.6, beta=0.4, n_step=1, gamma=0.99):
        self.obs = np.zeros((size, obs_dim), dtype=np.float32)
        self.next_obs = np.zeros((size, obs_dim), dtype=np.float32)
        self.act = np.zeros((size, act_dim), dtype=np.float32)
        self.rew = np.zeros((size, 1), dtype=np.float32)
        self.done = np.zeros((size, 1), dtype=np.float32)
        self.size, self.device = size, device
        self.alpha, self.beta = alpha, beta
        self.tree = SumTree(size)
        self.max_prio = 1.0
        self.ptr = 0
        self.len = 0

    def add(self, obs, act, rew, next_obs, done):
        n = len(obs)
        idx = (self.ptr + np.arange(n)) % self.size
        self.obs[idx], self.act[idx], self.next_obs[idx] = obs, act, next_obs
        self.rew[idx, 0], self.done[idx, 0] = rew, done
        self.tree.set(idx, self.max_prio ** self.alpha)
        self.ptr = (self.ptr + n) % self.size
        self.len = min(self.len + n, self.size)

    def sample(self, batch_size):
        total = self.tree.total()
        seg = (np.arange(batch_size) + np.random.rand(batch_size)) / batch_size * total
        idx = np.minimum(self.tree.find(seg), self.len - 1)
        p = self.tree.get(idx) / total
        w = (self.len * np.maximum(p, 1e-12)) ** (-self.beta)
        w = (w / w.max()).astype(np.float32)
        t = lambda x: torch.as_tensor(x, device=self.device)
        return {
            "obs": t(self.obs[idx]), "act": t(self.act[idx]), "rew": t(self.rew[idx]),
            "next_obs": t(self.next_obs[idx]), "done": t(self.done[idx]),
            "weight": t(w[:, None]), "idx": idx,
        }

    def update_priorities(self, idx, td):
        prio = np.abs(td) + 1e-5
        self.max_prio = max(self.max_prio, prio.max())
        self.tree.set(idx, prio ** self.alpha)

    def anneal_beta(self, frac):
        self.beta = min(1.0, 0.4 + 0.6 * frac)

    def __len__(self):
        return self.len
