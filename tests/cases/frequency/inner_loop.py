"""A wait inside an inner loop runs many times a step: one finding."""
import torch
import torch.nn as nn

device = torch.device("cuda")
layers = nn.ModuleList([nn.Linear(32, 32) for _ in range(6)]).to(device)
optimizer = torch.optim.Adam(layers.parameters())
for step in range(100):
    h = torch.randn(16, 32, device=device)
    for i, layer in enumerate(layers):
        h = torch.relu(layer(h))
        if h.abs().max() > 1e4:  # sync: tensor-truth
            h = h / 1e4
    loss = h.mean()
    optimizer.zero_grad()
    loss.backward()
    total_norm = 0.0
    for p in layers.parameters():
        total_norm += p.grad.data.norm(2).item() ** 2  # sync: host-read
    optimizer.step()
    print(step, total_norm ** 0.5)
