"""device = cpu, in the ways people write it."""
import torch
import torch.nn as nn

device = torch.device("cpu")
model = nn.Linear(4, 2).to(device)
other = nn.Linear(4, 2).cpu()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(10):
    x = torch.randn(8, 4).to(device)
    t = torch.tensor([1.0, 2.0], device="cpu")
    loss = (model(x) * t).mean() + other(x).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), loss, x.numpy().shape, float(loss))
