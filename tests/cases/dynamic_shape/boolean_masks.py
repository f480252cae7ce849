"""Reading through a boolean mask: the size of the result lives on the GPU."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
model = nn.Linear(32, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    x = torch.randn(64, 32, device=device)
    y = torch.randint(-1, 10, (64,), device=device)
    logits = model(x)
    valid = y >= 0
    loss = F.cross_entropy(logits[valid], y[valid])  # sync: dynamic-shape x2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    confident = logits[logits.softmax(-1) > 0.9]  # sync: dynamic-shape
    positive = logits.masked_select(logits > 0)  # sync: dynamic-shape
    weighted = torch.where(valid[:, None], logits, torch.zeros_like(logits))
    print(confident.shape, positive.numel(), weighted.shape)
