"""torch.zeros(4), of shapes, and zeros_like."""
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
    hist = torch.zeros(4, device=device)
    ids = torch.arange(x.size(0), device=device)
    eye = torch.eye(len(y), device=device)
    same = torch.zeros_like(x)
    wide = x.new_zeros(x.shape[0], 3)
