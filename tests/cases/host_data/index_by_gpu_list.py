"""The same list as a GPU tensor, made once."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
columns = torch.tensor([0, 3, 5], device=device)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    z = x[:, columns]
    z = x.index_select(1, columns)
    z = x[:, 3], x[..., :5], x[::2]
