# Article 000, "For Validation", BAD: one read for every batch.
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(32, 10).to(device)
labels = torch.randint(0, 10, (16,), device=device)
val_loader = [torch.randn(16, 32, device=device) for _ in range(20)]

model.eval()
correct = 0
for batch in val_loader:
    pred = model(batch)
    correct += (pred.argmax(1) == labels).sum().item()  # sync: host-read
print(correct / 320)
