import torch
from torch.optim import Optimizer


class Lars(Optimizer):
    def __init__(self, params, lr=0.1, trust=1e-3):
        super().__init__(params, dict(lr=lr, trust=trust))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad
                norm = p.norm()
                if norm > 0:  # sync: tensor-truth
                    g = g.mul(group["trust"] * norm / g.norm())
                state = self.state[p]
                if "buf" not in state:
                    state["buf"] = torch.zeros_like(p)
                state["buf"].mul_(0.9).add_(g)
                p.add_(state["buf"], alpha=-group["lr"])
                if state["buf"].abs().max().item() > 1e4:  # sync: host-read
                    state["buf"].zero_()
        return loss
