import torch
from setup_run import prepare_gpu

prepare_gpu()
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in [torch.randn(8, 4)] * 100:
    scale = torch.tensor(1.0)  # sync: tensor-from-host
    loss = net(batch).mean() * scale
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
