"""x[i] with a 0-dim i reads it; with one element of one dimension it does not."""
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
    i = model(x)[:, 0].argmax()
    row = x[i]  # sync: host-read
    same = x[i.view(1)].squeeze(0)
    also = x.index_select(0, i.view(1))
