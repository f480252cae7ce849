"""DQN with a prioritised replay buffer."""
import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))


class SumTree:
    def __init__(self, capacity):
        self.tree = np.zeros(2 * capacity - 1)

    def update(self, idx, p):
        self.tree[idx] = p


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)
        self.tree = SumTree(capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n), np.random.randint(0, n, n)

    def set_priorities(self, idxs, errors):
        for i, e in zip(idxs, errors):
            self.tree.update(i, abs(e.item()) + 1e-5)  # sync: host-read

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 128), nn.ReLU(), nn.Linear(128, n_act))

    def forward(self, x):
        return self.net(x)


class Learner:
    def __init__(self, env, gamma=0.99, device="cuda"):
        self.env, self.gamma, self.device = env, gamma, torch.device(device)
        self.policy = DQN(4, 2).to(self.device)
        self.target = DQN(4, 2).to(self.device)
        self.target.load_state_dict(self.policy.state_dict())
        self.opt = torch.optim.AdamW(self.policy.parameters(), lr=1e-4, amsgrad=True)
        self.memory = ReplayMemory(10000)
        self.steps = 0

    def select_action(self, state):
        self.steps += 1
        if random.random() > 0.05:
            with torch.no_grad():
                return self.policy(state).max(1).indices.view(1, 1)
        return torch.tensor([[self.env.action_space.sample()]], device=self.device, dtype=torch.long)  # sync: tensor-from-host

    def optimize(self):
        if len(self.memory) < 128:
            return
        transitions, idxs = self.memory.sample(128)
        batch = Transition(*zip(*transitions))
        mask = torch.tensor(tuple(map(lambda s: s is not None, batch.next_state)), device=self.device, dtype=torch.bool)  # sync: tensor-from-host
        non_final = torch.cat([s for s in batch.next_state if s is not None])
        states, actions, rewards = torch.cat(batch.state), torch.cat(batch.action), torch.cat(batch.reward)
        q = self.policy(states).gather(1, actions)
        values = torch.zeros(128, device=self.device)
        with torch.no_grad():
            values[mask] = self.target(non_final).max(1).values  # sync: dynamic-shape
        expected = values * self.gamma + rewards
        td = (q.squeeze(1) - expected).detach()
        self.memory.set_priorities(idxs, td)
        loss = F.smooth_l1_loss(q, expected.unsqueeze(1))
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(self.policy.parameters(), 100)
        self.opt.step()
        return loss

    def train(self, episodes=600):
        for ep in range(episodes):
            obs, _ = self.env.reset()
            state = torch.tensor(obs, dtype=torch.float32, device=self.device).unsqueeze(0)  # sync: tensor-from-host note
            done = False
            while not done:
                action = self.select_action(state)
                obs, reward, term, trunc, _ = self.env.step(action.item())  # sync: host-read
                reward = torch.tensor([reward], device=self.device)  # sync: tensor-from-host
                done = term or trunc
                nxt = None if term else torch.tensor(obs, dtype=torch.float32, device=self.device).unsqueeze(0)  # sync: tensor-from-host
                self.memory.push(state, action, nxt, reward)
                state = nxt
                loss = self.optimize()
                if loss is not None and self.steps % 100 == 0:
                    print("loss", loss.item())  # sync: host-read note
                tgt, src = self.target.state_dict(), self.policy.state_dict()
                for key in src:
                    tgt[key] = src[key] * 0.005 + tgt[key] * 0.995
                self.target.load_state_dict(tgt)
