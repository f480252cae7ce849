"""A function that goes backward itself: what its tensors' own methods read back was computed on the GPU, and what it
sends there comes from a loader, though nobody here sees where the memory, the nets and the batches come from."""
import numpy as np
import torch
import torch.nn.functional as F


class Agent:
    def __init__(self, cfg, memory, nets, tracker):
        self.cfg = cfg
        self.memory = memory
        self.nets = nets
        self.tracker = tracker
        self.optimizer = torch.optim.Adam(nets.parameters(), lr=cfg.lr)

    def update(self, device):
        for _ in range(self.cfg.gradient_steps):
            sample = self.memory.sample(self.cfg.batch_size)
            obs = sample["obs"].to(device)  # sync: copy-to-device
            rewards = sample["rewards"].cuda()  # sync: copy-to-device
            weights = np.asarray(sample["weights"])
            noises = self.cfg.noise.sample(obs.shape)
            target = torch.clamp(self.nets.target(obs), -1, 1) + self.cfg.gamma * rewards
            loss = F.mse_loss(self.nets.critic(obs), target)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.tracker.add("noise", torch.max(noises).item())  # sync: host-read
            self.tracker.extend(self.nets.last_q().detach().cpu())  # sync: copy-to-host
            self.tracker.add("weights", weights.mean().item())
            self.nets.average.to(device)  # a module that is there since the first turn

    def recall(self):
        for row in self.memory:
            self.tracker.add("age", torch.max(row).item())  # spurious: host-read note


def main(cfg, memory, nets, tracker):
    agent = Agent(cfg, memory, nets, tracker)
    for step in range(cfg.steps):
        agent.update(torch.device("cuda"))
        agent.recall()
