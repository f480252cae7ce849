"""Two loggers make their meters on the same line: each has its own."""
import torch
import torch.nn.functional as F


class Meter:
    def __init__(self):
        self.value = 0.0

    def update(self, value):
        self.value = value


class Logger:
    def __init__(self):
        self.loss = Meter()
        self.rate = Meter()

    def log(self, loss, rate):
        self.loss.update(loss)
        self.rate.update(rate)


device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
raw, read = Logger(), Logger()
for step in range(1000):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    raw.log(loss.detach(), 0.1)
    read.log(loss.item(), 0.1)  # sync: host-read
    if read.loss.value > 10 or raw.rate.value > 1:
        break
    if raw.loss.value > 10:  # sync: tensor-truth
        break
