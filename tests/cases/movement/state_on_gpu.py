"""state_dict, deepcopy and an average of weights that stay on the GPU."""
import copy

import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
average = [p.detach().clone() for p in model.parameters()]

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    state = {k: v.detach().clone() for k, v in model.state_dict().items()}
    for p, q in zip(model.parameters(), average):
        q.mul_(0.99).add_(p.detach(), alpha=0.01)
    best = copy.deepcopy(model)
