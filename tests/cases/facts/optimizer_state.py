"""What an optimizer of one's own keeps under a name is what it put there: a count of steps is a Python number."""
import math

import torch
import torch.nn as nn


class Own(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr, betas=(0.9, 0.999)))
        self.buffer = [[None, None] for _ in range(10)]

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["average"] = torch.zeros_like(p)
                state["step"] += 1
                correction = 1 - beta2 ** state["step"]
                scale = math.sqrt(correction)
                buffered = self.buffer[int(state["step"] % 10)]
                if state["step"] == buffered[0]:
                    scale = buffered[1]
                if state["step"] % 100 == 0:
                    print(state["average"].norm().item())  # sync: host-read note
                state["average"].mul_(beta1).add_(p.grad, alpha=1 - beta1)
                p.add_(state["average"], alpha=-group["lr"] / scale)


model = nn.Linear(8, 8).cuda()
opt = Own(model.parameters())
for step in range(100):
    loss = model(torch.randn(4, 8, device="cuda")).sum()
    loss.backward()
    opt.step()
    opt.zero_grad()
