# Article 000, "Better approach": accumulate on the GPU, read once at the end.
import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(32, 1).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
dataloader = [torch.randn(16, 32, device=device) for _ in range(20)]


def model(batch):
    return net(batch).pow(2).mean()


losses = []
for i, batch in enumerate(dataloader):
    loss = model(batch)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())

avg_loss = torch.stack(losses).mean().item()
print(f"Epoch loss: {avg_loss}")
