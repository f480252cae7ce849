import torch
from losses import smoothed
from setup_run import on_gpu

on_gpu()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    batch = torch.randn(8, 4)
    target = torch.randint(0, 2, (8,))
    loss = smoothed(net(batch), target)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
