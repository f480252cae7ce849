"""An optimizer that calls a closure; the read stands after it."""
import torch
import torch.nn as nn

device = torch.device("cuda")
net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1)).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.rand(100, 2, device=device)
for epoch in range(50):

    def closure():
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        return loss

    loss = opt.step(closure)
    print(epoch, loss.item())  # sync: host-read
