"""Printing a tensor reads it several times over."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 4, device=device)
y = torch.randn(32, 1, device=device)
for step in range(100):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss)  # sync: print-tensor
    print("step", step, "loss", loss)  # sync: print-tensor
    print("step", step, "of", 100)
    print(x.shape, loss.dtype, loss.device)
