"""Mixed precision: scaler.step reads whether a gradient overflowed."""
import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast

device = torch.device("cuda")
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
scaler = GradScaler()
x = torch.randn(128, 64, device=device)
y = torch.randint(0, 10, (128,), device=device)
for step in range(200):
    optimizer.zero_grad()
    with autocast():
        loss = criterion(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)  # sync: grad-scaler
    scaler.update()
    scale = scaler.get_scale()  # sync: grad-scaler
    print(step, scale)
