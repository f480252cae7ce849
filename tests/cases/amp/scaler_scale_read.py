"""get_scale() each step reads the scale."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    scaler.scale(F.cross_entropy(model(x), y)).backward()
    scaler.step(opt)  # sync: grad-scaler
    scaler.update()
    scale = scaler.get_scale()  # sync: grad-scaler
