# options: --min-confidence possible
"""Functions that nobody in sight calls and that take no tensor: what is asked there of a tensor is likely in somebody's loop, and so
is what else methods do; what functions send to the GPU, and what methods move there, is start-up as often."""
import torch
from torch import nn, optim


class Learner:
    def __init__(self, actor: nn.Module, device=torch.device("cuda"), replay=None):
        self.device = device
        self.actor = actor.to(device)
        self.replay = replay
        self.best = torch.zeros((), device=device)
        self.optimizer = optim.SGD(self.actor.parameters(), lr=0.01)

    def value_of(self, rewards: list[float]) -> float:
        gained = torch.tensor(rewards, device=self.device)  # sync: tensor-from-host likely
        value = (gained - gained.mean()).abs().max()
        if (value > self.best).any():  # sync: tensor-truth likely
            self.best = value
        return value.item()  # sync: host-read likely

    def build_tables(self) -> None:
        self.low = make_table([0.0, 1.0], self.device)
        self.high = make_table([1.0, 2.0], self.device)

    def report(self) -> dict:
        return {"best": self.best.cpu().numpy()}  # sync: copy-to-host likely

    def act(self, observation: list[float]):
        """Done for each step, as its name says."""
        row = torch.tensor(observation, device=self.device)  # sync: tensor-from-host likely
        return self.actor(row).argmax().item()  # sync: host-read likely


def make_table(values, device):
    return torch.tensor(values, device=device)  # sync: tensor-from-host possible


class Guided(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        from somewhere import schedule
        steps = schedule(x)
        if (steps > 0).all():  # sync: tensor-truth likely
            x = x * steps
        size = schedule(x)
        if size:
            x = x + 1
        return x * torch.tensor([0.5, 0.25], device=steps.device)  # sync: tensor-from-host likely
