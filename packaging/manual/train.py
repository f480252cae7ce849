import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = TensorDataset(torch.randn(50000, 1, 28, 28), torch.randint(10, (50000,)))
loader = DataLoader(data, batch_size=128, shuffle=True, pin_memory=True)
correct = 0

for step, (x, y) in enumerate(loader):
    x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    correct += (logits.argmax(1) == y).sum().item()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(f"step {step}: loss {loss:.3f}, {correct} right")
