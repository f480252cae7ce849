import torch
from specs import Categorical, Composite, weights_of

device = torch.device("cuda")
spec = Composite([Categorical(3), Categorical(4)])
net = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    batch = torch.randn(8, 4, device=device)
    loss = net(batch).mean() + weights_of(spec, batch)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
