"""Pinned memory alone does not help: the copy must be non_blocking too."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
dataset = TensorDataset(torch.randn(1000, 20), torch.randn(1000, 1))
loader = DataLoader(dataset, batch_size=32, pin_memory=True)
model = nn.Linear(20, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        x = batch[0].to(device)  # sync: copy-to-device
        y = batch[1].to(device, non_blocking=True)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
