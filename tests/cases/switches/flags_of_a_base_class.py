# options: --min-confidence possible
"""A flag that is off when an agent is made, and that a method of its base class sets, which who uses the library
calls. A class that says in its body that it is off keeps it."""
import torch
from torch import nn


class Agent:
    def __init__(self, policy, cfg):
        self.policy = policy
        self.cfg = cfg
        self.memory = cfg.memory
        self.training = False
        self.timed = False

    def enable_training(self, enabled: bool = True) -> None:
        self.training = enabled

    def record(self, name, value):
        print(name, value)


class Reinforce(Agent):
    def __init__(self, policy: nn.Module, cfg):
        super().__init__(policy, cfg)
        self.optimizer = torch.optim.Adam(policy.parameters())
        self.profiled = False

    def post_interaction(self, step: int):
        if self.training:
            self.update(step)

    def update(self, step: int):
        for states, actions, advantages in self.memory.sample_all(self.cfg.batch):
            log_prob = self.policy(states).log_softmax(-1).gather(1, actions)
            loss = -(advantages * log_prob).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.record("loss", loss.item())  # sync: host-read likely
            if self.profiled:
                self.record("seldom", loss.item())  # sync: host-read note likely


class Frozen(Agent):
    timed = False

    def update(self, step: int):
        for states in self.memory.sample_all(self.cfg.batch):
            values = self.policy(states.cuda())  # sync: copy-to-device possible
            if self.timed:
                print(values.mean().item())  # sync: host-read note likely
