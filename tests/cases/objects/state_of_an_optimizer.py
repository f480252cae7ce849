"""What an optimizer's own state was given in one method is what another reads: a step count that was made on the CPU."""
import torch
from torch.optim.optimizer import Optimizer


class Own(Optimizer):
    def __init__(self, params, lr=1e-2):
        super().__init__(params, dict(lr=lr))
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["step"] = torch.tensor(0.0)
                state["scale"] = torch.ones((), device=p.device)
                state["sum"] = torch.zeros_like(p)

    def step(self, closure=None):
        for group in self.param_groups:
            steps, sums = [], []
            for p in group["params"]:
                state = self.state[p]
                steps.append(state["step"])
                sums.append(state["sum"])
                state["step"] += 1
                state["scale"].item()  # sync: host-read
            for p, step_t, sum_t in zip(group["params"], steps, sums):
                step = step_t.item()
                p.data.add_(p.grad, alpha=-step / sum_t.sum().item())  # sync: host-read


def train(model, loader):
    model.cuda()
    optimizer = Own(model.parameters())
    for x, y in loader:
        loss = model(x.cuda()).sum()  # sync: copy-to-device
        loss.backward()
        optimizer.step()
