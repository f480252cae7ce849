"""A fused optimizer takes the overflow flag on the GPU."""
import torch

model = torch.nn.Linear(16, 4).cuda()
opt = torch.optim.AdamW(model.parameters(), fused=True)
scaler = torch.amp.GradScaler("cuda")
for step in range(100):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(torch.randn(8, 16, device="cuda")).sum()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
