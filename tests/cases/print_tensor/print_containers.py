"""Printing a container prints what is in it."""
import torch

device = torch.device("cuda")
net = torch.nn.Linear(8, 8).to(device)
x = torch.randn(4, 8, device=device)
for i in range(10):
    y = net(x)
    stats = {"mean": y.mean(), "std": y.std()}
    names = {"step": i, "shape": y.shape}
    print(stats)  # sync: print-tensor
    print([y.min(), y.max()])  # sync: print-tensor
    print(names)
    print(net)
