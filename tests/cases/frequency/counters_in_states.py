"""A counter that is kept in a table of its own is 0 once; another key of the table is no counter."""
import torch
from torch.optim import Optimizer


class Averaged(Optimizer):
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"], state["kind"] = 0, 0
                total = p.grad.sum()
                if state["step"] == 0:
                    state["sum"] = total.item()  # sync: host-read note
                else:
                    state["sum"] += total.item()  # sync: host-read
                if state["kind"] == 0:
                    print(total.item())  # sync: host-read
                state["step"] += 1


model = torch.nn.Linear(8, 8).cuda()
optimizer = Averaged(model.parameters(), {})
for step in range(1000):
    optimizer.zero_grad()
    model(torch.ones(4, 8, device="cuda")).sum().backward()
    optimizer.step()
