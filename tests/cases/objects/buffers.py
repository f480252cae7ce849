"""Two buffers of one class, one on the GPU and one on the CPU, in a trainer and its subclass."""
import torch
from torch import nn


class ReplayBuffer:
    def __init__(self, size, width, device):
        self.states = torch.zeros(size, width, device=device)
        self.rewards = torch.zeros(size, device=device)
        self.size, self.at = size, 0

    def add(self, state, reward):
        self.states[self.at] = state
        self.rewards[self.at] = reward
        self.at = (self.at + 1) % self.size

    def newest(self):
        return self.rewards[self.at]


class Trainer:
    def __init__(self, width):
        self.model = nn.Linear(width, 1).to("cuda")
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.replay = ReplayBuffer(10000, width, "cuda")
        self.seen = ReplayBuffer(100, width, "cpu")
        self.width = width

    def step(self, state, reward):
        loss = (self.model(state) - reward).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


class LoggingTrainer(Trainer):
    def run(self, steps):
        for _ in range(steps):
            state = torch.randn(self.width)
            reward = torch.rand(())
            self.seen.add(state, reward)
            gpu_state = torch.randn(self.width, device="cuda")
            self.replay.add(gpu_state, gpu_state.mean())
            loss = self.step(gpu_state, self.replay.newest())
            if self.seen.newest().item() > 0.9:
                print("a good one")
            if self.replay.newest().item() > 0.9:  # sync: host-read certain
                print("a good one", loss.shape)


LoggingTrainer(8).run(1000)
