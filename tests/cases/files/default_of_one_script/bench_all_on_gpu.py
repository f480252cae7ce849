import torch
from specs import Categorical, Composite, weights_of

torch.set_default_device("cuda")

spec = Composite([Categorical(3), Categorical(4)])
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    batch = torch.randn(8, 4)
    prior = torch.tensor([0.25, 0.25])  # sync: tensor-from-host
    loss = net(batch).mean() + weights_of(spec, batch) + prior.sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
