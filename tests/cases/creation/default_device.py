"""The default device decides where host data goes that is given no device: a file that sets it makes such copies wait."""
import numpy as np
import torch

torch.set_default_device("cuda")
net = torch.nn.Linear(2, 2)
x = torch.randn(8, 2)
steps = 100
for step in range(steps):
    target = torch.tensor([1.0, 2.0])  # sync: tensor-from-host
    weight = torch.as_tensor([0.5, 0.5])  # sync: tensor-from-host
    scale = torch.tensor(np.float32(2.0))  # sync: tensor-from-host
    host = torch.tensor([1.0, 2.0], device="cpu")
    zeros = torch.zeros(2)
    full = torch.full((2,), 0.5)
    again = torch.tensor([1.0], device=torch.device("cpu"))
    out = net(x) * weight + target * scale + zeros + full
