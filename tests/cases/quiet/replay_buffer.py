"""A replay buffer and an environment in NumPy; the agent's tensors go to the GPU pinned, and nothing comes back."""
import random
from collections import deque, namedtuple

import numpy as np
import torch
from torch import nn

Transition = namedtuple("Transition", "state action reward done following")


class ReplayBuffer:
    def __init__(self, capacity, shape):
        self.states = np.zeros((capacity, *shape), dtype=np.float32)
        self.actions = np.zeros(capacity, dtype=np.int64)
        self.rewards = np.zeros(capacity, dtype=np.float32)
        self.dones = np.zeros(capacity, dtype=bool)
        self.at, self.full, self.capacity = 0, False, capacity

    def push(self, state, action: int, reward: float, done: bool):
        self.states[self.at] = state
        self.actions[self.at] = action
        self.rewards[self.at] = reward
        self.dones[self.at] = done
        self.at = (self.at + 1) % self.capacity
        self.full = self.full or self.at == 0

    def __len__(self):
        return self.capacity if self.full else self.at

    def sample(self, n):
        index = np.random.randint(0, len(self) - 1, n)
        if self.dones[index].all():
            return self.sample(n)
        return [torch.from_numpy(a[index]).pin_memory() for a in (self.states, self.actions, self.rewards)]  # sync: pin-per-step note


class Prioritised(ReplayBuffer):
    def __init__(self, capacity, shape, alpha=0.6):
        super().__init__(capacity, shape)
        self.priorities = np.ones(capacity, dtype=np.float64)
        self.alpha = alpha

    def sample(self, n):
        p = self.priorities[: len(self)] ** self.alpha
        p /= p.sum()
        index = np.random.choice(len(self), n, p=p)
        weights = (len(self) * p[index]) ** -0.4
        return index.tolist(), float(weights.max()), weights / weights.max()


class GridWorld:
    def __init__(self, size=8):
        self.size = size
        self.walls = np.random.rand(size, size) < 0.2

    def reset(self):
        self.position = np.array([0, 0])
        return self.observe()

    def observe(self):
        grid = np.zeros((self.size, self.size), dtype=np.float32)
        grid[tuple(self.position)] = 1
        return grid

    def step(self, action):
        move = np.array([(0, 1), (1, 0), (0, -1), (-1, 0)][action])
        target = np.clip(self.position + move, 0, self.size - 1)
        if not self.walls[tuple(target)]:
            self.position = target
        done = bool((self.position == self.size - 1).all())
        return self.observe(), float(done) - 0.01, done


def fill(buffer, env, steps):
    returns, total = deque(maxlen=100), 0.0
    state = env.reset()
    for step in range(steps):
        action = random.randrange(4)
        following, reward, done = env.step(action)
        buffer.push(state, action, reward, done)
        total += reward
        if done:
            returns.append(total)
            total, following = 0.0, env.reset()
        state = following
        if step % 1000 == 0 and returns:
            print(step, np.mean(returns).item(), max(returns))


def learn(net, target, buffer, optimizer, device, updates):
    for update in range(updates):
        states, actions, rewards = (t.to(device, non_blocking=True) for t in buffer.sample(64))
        q = net(states.flatten(1)).gather(1, actions[:, None]).squeeze(1)
        with torch.no_grad():
            goal = rewards + 0.99 * target(states.flatten(1)).amax(1)
        loss = nn.functional.smooth_l1_loss(q, goal)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    buffer = ReplayBuffer(10_000, (8, 8))
    fill(buffer, GridWorld(), 5_000)
    net, target = nn.Linear(64, 4).to(device), nn.Linear(64, 4).to(device)
    learn(net, target, buffer, torch.optim.Adam(net.parameters(), fused=True), device, 1000)
