"""DQN with a uniform replay buffer on a 7x7 grid world."""
import argparse
import copy
import random
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class GridWorld:
    ACTIONS = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, size=7, horizon=40, seed=0):
        self.size, self.horizon = size, horizon
        self.rng = random.Random(seed)

    def reset(self):
        self.pos = (self.rng.randrange(self.size), self.rng.randrange(self.size))
        self.goal = (self.rng.randrange(self.size), self.rng.randrange(self.size))
        self.t = 0
        return self.observe()

    def observe(self):
        grid = np.zeros((2, self.size, self.size), dtype=np.float32)
        grid[0][self.pos] = 1.0
        grid[1][self.goal] = 1.0
        return grid

    def step(self, a):
        dx, dy = self.ACTIONS[a]
        x = min(max(self.pos[0] + dx, 0), self.size - 1)
        y = min(max(self.pos[1] + dy, 0), self.size - 1)
        self.pos = (x, y)
        self.t += 1
        reached = self.pos == self.goal
        return self.observe(), 1.0 if reached else -0.01, reached or self.t >= self.horizon


class Batch(NamedTuple):
    obs: np.ndarray
    actions: np.ndarray
    rewards: np.ndarray
    next_obs: np.ndarray
    dones: np.ndarray


class ReplayBuffer:
    def __init__(self, capacity, shape):
        self.capacity = capacity
        self.obs = np.zeros((capacity, *shape), dtype=np.float32)
        self.next_obs = np.zeros((capacity, *shape), dtype=np.float32)
        self.actions = np.zeros(capacity, dtype=np.int64)
        self.rewards = np.zeros(capacity, dtype=np.float32)
        self.dones = np.zeros(capacity, dtype=np.float32)
        self.pos, self.full = 0, False

    def __len__(self):
        return self.capacity if self.full else self.pos

    def add(self, o, a, r, o2, d):
        i = self.pos
        self.obs[i], self.actions[i], self.rewards[i], self.next_obs[i], self.dones[i] = o, a, r, o2, d
        self.pos = (self.pos + 1) % self.capacity
        self.full = self.full or self.pos == 0

    def sample(self, n):
        idx = np.random.randint(0, len(self), size=n)
        return Batch(self.obs[idx], self.actions[idx], self.rewards[idx], self.next_obs[idx], self.dones[idx])


class QNetwork(nn.Module):
    def __init__(self, size, n_actions):
        super().__init__()
        self.conv = nn.Conv2d(2, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * size * size, 128)
        self.fc2 = nn.Linear(128, n_actions)

    def forward(self, x):
        h = F.relu(self.conv(x)).flatten(1)
        return self.fc2(F.relu(self.fc1(h)))


class DQNAgent:
    def __init__(self, env, args):
        self.args = args
        self.q = QNetwork(env.size, 4).to(device)
        self.target = copy.deepcopy(self.q).eval()
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=args.lr)
        self.loss_ema = None

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(4)
        with torch.no_grad():
            state = torch.as_tensor(obs, device=device).unsqueeze(0)  # sync: tensor-from-host
            q_values = self.q(state)
            return q_values.max(1)[1].item()  # sync: host-read

    def learn(self, batch):
        obs = torch.from_numpy(batch.obs).to(device)  # sync: copy-to-device
        next_obs = torch.from_numpy(batch.next_obs).to(device)  # sync: copy-to-device
        actions = torch.tensor(batch.actions, device=device)  # sync: tensor-from-host
        rewards = torch.tensor(batch.rewards, device=device)  # sync: tensor-from-host
        dones = torch.tensor(batch.dones, device=device)  # sync: tensor-from-host

        q = self.q(obs).gather(1, actions.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.q(next_obs).argmax(dim=1, keepdim=True)
            next_q = self.target(next_obs).gather(1, best).squeeze(1)
            y = rewards + self.args.gamma * (1.0 - dones) * next_q
        loss = F.smooth_l1_loss(q, y)
        self.optimizer.zero_grad()
        loss.backward()
        for p in self.q.parameters():
            p.grad.data.clamp_(-1, 1)
        self.optimizer.step()

        value = float(loss)  # sync: host-read
        self.loss_ema = value if self.loss_ema is None else 0.99 * self.loss_ema + 0.01 * value
        return value

    @torch.no_grad()
    def sync_target(self):
        for p, tp in zip(self.q.parameters(), self.target.parameters()):
            tp.data.mul_(1 - self.args.tau).add_(p.data, alpha=self.args.tau)

    @torch.no_grad()
    def evaluate(self, env, episodes):
        returns = []
        for _ in range(episodes):
            obs, done, total = env.reset(), False, 0.0
            while not done:
                q = self.q(torch.from_numpy(obs)[None].to(device))  # sync: copy-to-device
                action = int(q.argmax(1))  # sync: host-read
                obs, r, done = env.step(action)
                total += r
            returns.append(total)
        return sum(returns) / len(returns)


def linear_schedule(start, end, duration, t):
    return max(end, start + (end - start) * t / duration)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=20000)
    ap.add_argument("--warmup", type=int, default=500)
    ap.add_argument("--eval-every", type=int, default=2000)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--gamma", type=float, default=0.97)
    ap.add_argument("--tau", type=float, default=0.01)
    args = ap.parse_args()
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)

    env, eval_env = GridWorld(), GridWorld(seed=1)
    agent = DQNAgent(env, args)
    buffer = ReplayBuffer(10000, (2, env.size, env.size))
    obs, episode_return, history = env.reset(), 0.0, []
    for step in range(args.steps):
        eps = linear_schedule(1.0, 0.05, args.steps // 2, step)
        action = agent.act(obs, eps)
        next_obs, reward, done = env.step(action)
        buffer.add(obs, action, reward, next_obs, float(done))
        episode_return += reward
        obs = next_obs
        if done:
            history.append(episode_return)
            obs, episode_return = env.reset(), 0.0
        if len(buffer) < args.warmup:
            continue
        loss = agent.learn(buffer.sample(args.batch))
        agent.sync_target()
        if step % 500 == 0:
            print(f"step {step} loss {loss:.4f} ema {agent.loss_ema:.4f} eps {eps:.2f} return {np.mean(history[-20:]):.2f}")
        if step % args.eval_every == 0:
            print("eval", agent.evaluate(eval_env, 3))


if __name__ == "__main__":
    main()
