import torch
import torch.nn as nn

import metrics
from metrics import describe

device = torch.device("cuda")
model = nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 16, device=device)
y = torch.randint(0, 4, (64,), device=device)
print(describe({"lr": 0.1}))
for step in range(100):
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = metrics.accuracy(logits, y)
    print(f"{step} {acc:.3f}")
