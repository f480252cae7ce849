"""A fused optimizer looks at the flag on the GPU; a disabled scaler has none."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(64, 10).to(device)
fused = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
plain = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
off = torch.amp.GradScaler("cuda", enabled=False)
x = torch.randn(32, 64, device=device)
for step in range(100):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(x).float().pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(fused)
    scaler.update()
    fused.zero_grad()

    loss = model(x).pow(2).mean()
    off.scale(loss).backward()
    off.step(plain)
    off.update()
    plain.zero_grad()
