"""getattr with each name of a literal tuple, as buffers of rollouts are read and written."""
import numpy as np
import torch


class Rollouts:
    def __init__(self, steps: int, device: torch.device):
        self.obs = torch.zeros(steps, 8, device=device)
        self.returns = torch.zeros(steps, device=device)
        self.pos = 0

    def add(self, **fields):
        for name, value in fields.items():
            getattr(self, name)[self.pos] = value
        self.pos += 1

    def minibatches(self, count: int):
        order = np.random.permutation(len(self.obs))
        flat = {name: getattr(self, name).flatten() for name in ("obs", "returns")}
        for picked in np.array_split(order, count):
            yield {name: values[picked] for name, values in flat.items()}  # sync: index-from-host likely


def main(policy, envs):
    device = torch.device("cuda")
    rollouts = Rollouts(128, device)
    opt = torch.optim.Adam(policy.parameters())
    for update in range(1000):
        for batch in rollouts.minibatches(4):
            loss = (policy(batch["obs"]) - batch["returns"]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
