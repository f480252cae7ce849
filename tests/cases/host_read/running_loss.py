"""The plainest form there is: the loss is read on every step to keep a running sum."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
model = nn.Linear(32, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(512, 32, device=device)
targets = torch.randint(0, 10, (512,), device=device)

for epoch in range(3):
    running = 0.0
    for i in range(0, 512, 64):
        x, y = inputs[i:i + 64], targets[i:i + 64]
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()  # sync: host-read
    print(f"epoch {epoch}: {running / 8:.4f}")
