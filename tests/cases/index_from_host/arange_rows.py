"""The well-known line: rows by torch.arange without a device."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(32, 10).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 32, device=device)
labels = torch.randint(0, 10, (64,), device=device)
for step in range(100):
    logits = model(x).log_softmax(-1)
    nll = -logits[torch.arange(64), labels].mean()  # sync: index-from-host
    same = -logits[torch.arange(64, device=device), labels].mean()
    best = -logits.gather(1, labels[:, None]).mean()
    loss = nll + same + best
    opt.zero_grad()
    loss.backward()
    opt.step()
