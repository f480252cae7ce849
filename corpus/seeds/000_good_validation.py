# Article 000, "For Validation", GOOD: accumulate on the GPU, one read at the end.
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(32, 10).to(device)
labels = torch.randint(0, 10, (16,), device=device)
val_loader = [torch.randn(16, 32, device=device) for _ in range(20)]

model.eval()
correct = []
for batch in val_loader:
    pred = model(batch)
    correct.append((pred.argmax(1) == labels).sum())

total_correct = torch.stack(correct).sum().item()
accuracy = total_correct / 320
print(accuracy)
