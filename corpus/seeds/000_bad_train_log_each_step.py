# Article 000, "For Training Loops", BAD: one read per iteration.
import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(32, 1).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
dataloader = [torch.randn(16, 32, device=device) for _ in range(20)]


def model(batch):
    return net(batch).pow(2).mean()


for i, batch in enumerate(dataloader):
    loss = model(batch)
    loss.backward()
    optimizer.step()
    print(f"Step {i}: loss = {loss.item()}")  # sync: host-read
