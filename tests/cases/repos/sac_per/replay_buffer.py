import numpy as np
import torch


class ReplayBuffer(object):
    """Buffer to store environment transitions."""

    def __init__(self, obs_shape, action_shape, capacity, device):
        self.capacity = capacity
        self.device = device
        obs_dtype = np.float32 if len(obs_shape) == 1 else np.uint8
        self.obses = np.empty((capacity, *obs_shape), dtype=obs_dtype)
        self.next_obses = np.empty((capacity, *obs_shape), dtype=obs_dtype)
        self.actions = np.empty((capacity, *action_shape), dtype=np.float32)
        self.rewards = np.empty((capacity, 1), dtype=np.float32)
        self.not_dones = np.empty((capacity, 1), dtype=np.float32)
        self.idx = 0
        self.full = False

    def __len__(self):
        return self.capacity if self.full else self.idx

    def add(self, obs, action, reward, next_obs, done):
        np.copyto(self.obses[self.idx], obs)
        np.copyto(self.actions[self.idx], action)
        np.copyto(self.rewards[self.idx], reward)
        np.copyto(self.next_obses[self.idx], next_obs)
        np.copyto(self.not_dones[self.idx], not done)
        self.idx = (self.idx + 1) % self.capacity
        self.full = self.full or self.idx == 0

    def sample(self, batch_size):
        idxs = np.random.randint(0, self.capacity if self.full else self.idx, size=batch_size)
        obses = torch.as_tensor(self.obses[idxs], device=self.device).float()  # missed: tensor-from-host
        actions = torch.as_tensor(self.actions[idxs], device=self.device)  # missed: tensor-from-host
        rewards = torch.as_tensor(self.rewards[idxs], device=self.device)  # missed: tensor-from-host
        next_obses = torch.as_tensor(self.next_obses[idxs], device=self.device).float()  # missed: tensor-from-host
        not_dones = torch.as_tensor(self.not_dones[idxs], device=self.device)  # missed: tensor-from-host
        return obses, actions, rewards, next_obses, not_dones


class SumTree:
    def __init__(self, size):
        self.size = size
        self.tree = np.zeros(2 * size)

    def update(self, i, p):
        i += self.size
        self.tree[i] = p
        while i > 1:
            i //= 2
            self.tree[i] = self.tree[2 * i] + self.tree[2 * i + 1]

    def find(self, v):
        i = 1
        while i < self.size:
            i *= 2
            if v > self.tree[i]:
                v -= self.tree[i]
                i += 1
        return i - self.size


class PrioritizedReplay(ReplayBuffer):
    def __init__(self, *args, alpha=0.6, beta=0.4, **kwargs):
        super().__init__(*args, **kwargs)
        self.alpha, self.beta = alpha, beta
        self.tree = SumTree(self.capacity)
        self.max_priority = 1.0

    def add(self, *args):
        self.tree.update(self.idx, self.max_priority ** self.alpha)
        super().add(*args)

    def sample_prioritized(self, batch_size):
        total = self.tree.tree[1]
        idxs = np.array([self.tree.find(np.random.rand() * total) for _ in range(batch_size)])
        p = self.tree.tree[idxs + self.capacity] / total
        weights = (len(self) * p) ** -self.beta
        weights = torch.as_tensor(weights / weights.max(), device=self.device, dtype=torch.float32)  # sync: tensor-from-host
        obses = torch.as_tensor(self.obses[idxs], device=self.device).float()  # sync: tensor-from-host
        actions = torch.as_tensor(self.actions[idxs], device=self.device)  # sync: tensor-from-host
        rewards = torch.as_tensor(self.rewards[idxs], device=self.device)  # sync: tensor-from-host
        next_obses = torch.as_tensor(self.next_obses[idxs], device=self.device).float()  # sync: tensor-from-host
        not_dones = torch.as_tensor(self.not_dones[idxs], device=self.device)  # sync: tensor-from-host
        return (obses, actions, rewards, next_obses, not_dones), idxs, weights

    def update_priorities(self, idxs, td):
        td = td.abs().flatten().tolist()  # sync: host-read
        for i, p in zip(idxs, td):
            self.tree.update(i, (p + 1e-6) ** self.alpha)
            self.max_priority = max(self.max_priority, p)
