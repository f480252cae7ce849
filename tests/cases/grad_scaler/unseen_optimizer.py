"""An optimizer of which nobody sees the making may be a fused one, which does not wait: likely. get_scale() waits with any."""
import torch
from factories import make_optimizer
from torch import nn


def train(loader, steps=1000):
    model = nn.Linear(64, 10).cuda()
    optimizer = make_optimizer(model, lr=1e-3)
    plain = torch.optim.SGD(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    for step in range(steps):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(torch.randn(32, 64, device="cuda")).float().pow(2).mean()
        scaler.scale(loss).backward()
        before = scaler.get_scale()  # sync: grad-scaler certain
        scaler.step(optimizer)  # sync: grad-scaler likely
        scaler.step(plain)  # sync: grad-scaler certain
        scaler.update()


train([])
