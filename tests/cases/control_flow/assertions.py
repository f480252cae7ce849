"""Assertions about values wait; about shapes they do not."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    assert (y >= 0).all()  # sync: tensor-truth
    assert not torch.isnan(x).any(), "nan"  # sync: tensor-truth
    assert x.shape[0] == y.shape[0], f"{x.shape} and {y.shape}"
    assert torch.is_tensor(x) and x.is_cuda
