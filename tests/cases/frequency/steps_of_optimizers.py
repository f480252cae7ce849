"""An optimizer of one's own, written as torch's are: its step runs every training step, and its counts of steps lie on the CPU."""
import torch
from torch import Tensor
from typing import List


class Adagrad(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["step"] = torch.tensor(0.0)
                state["sum"] = torch.zeros_like(p)

    def __setstate__(self, state):
        super().__setstate__(state)
        state_values = list(self.state.values())
        step_is_tensor = (len(state_values) != 0) and torch.is_tensor(state_values[0]["step"])
        if not step_is_tensor:
            for s in state_values:
                s["step"] = torch.tensor(float(s["step"]))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            params, grads, sums, steps = [], [], [], []
            for p in group["params"]:
                if p.grad is not None:
                    params.append(p)
                    grads.append(p.grad)
                    state = self.state[p]
                    sums.append(state["sum"])
                    steps.append(state["step"])
            adagrad(params, grads, sums, steps, lr=group["lr"])


def adagrad(params: List[Tensor], grads: List[Tensor], sums: List[Tensor], steps: List[Tensor], *, lr: float):
    if not all(isinstance(t, torch.Tensor) for t in steps):
        raise RuntimeError("no")
    single(params, grads, sums, steps, lr=lr)


def single(params: List[Tensor], grads: List[Tensor], sums: List[Tensor], steps: List[Tensor], *, lr: float):
    for p, g, s, step_t in zip(params, grads, sums, steps):
        step_t += 1
        step = step_t.item()
        s.addcmul_(g, g)
        norm = s.sum().item()  # sync: host-read
        p.addcdiv_(g, s.sqrt(), value=-lr / (norm + step))
