"""A constant kept in a buffer is uploaded once, with the module."""
import torch

device = torch.device("cuda")
class Weighted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weights", torch.tensor([0.1, 0.9]))
        self.lin = torch.nn.Linear(16, 2)

    def forward(self, x):
        return self.lin(x) * self.weights


model = Weighted().to(device)
for step in range(100):
    z = model(torch.randn(8, 16, device=device)).sum()
    z.backward()
