"""sorted() and list.sort() compare GPU scalars, two reads and more for each."""
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
    losses = [loss.detach(), loss.detach() * 2, loss.detach() / 2]
    ranked = sorted(losses)  # sync: tensor-truth
    losses.sort()  # sync: tensor-truth
