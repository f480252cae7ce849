"""Built-in conversions read just as .item() does."""
import torch
import torch.nn as nn

device = "cuda"
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
opt = torch.optim.Adam(net.parameters())
data = torch.randn(256, 16, device=device)
labels = torch.randint(0, 2, (256,), device=device)
total, correct = 0.0, 0
history = []

for step in range(100):
    logits = net(data)
    loss = nn.functional.cross_entropy(logits, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += float(loss)  # sync: host-read
    correct += int((logits.argmax(1) == labels).sum())  # sync: host-read
    finite = bool(torch.isfinite(loss))  # sync: host-read
    z = complex(loss)  # sync: host-read
    history.append((step, total, finite, z))

print(total / 100, correct)
