"""The old default tensor type of the CPU changes nothing."""
import torch

torch.set_default_tensor_type("torch.DoubleTensor")
weight = torch.randn(9, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.1)
for step in range(100):
    loss = (weight * torch.rand(9)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
