"""`lab` has no __init__.py: its folders are namespace packages; one module is imported under another name."""
import torch
import kit.tools.stop
import lab.losses.contrastive as contrastive
import lab.metrics.running
from lab.losses import regular

device = torch.device("cuda")
encoder = torch.nn.Linear(64, 16).to(device)
optimizer = torch.optim.AdamW(encoder.parameters(), lr=3e-4)
history = []
seen = lab.metrics.running.Running()

for step in range(1000):
    a = torch.randn(32, 64, device=device)
    b = torch.randn(32, 64, device=device)
    loss = contrastive.info_nce(encoder(a), encoder(b)) + regular.variance(encoder(a))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    seen.add(loss)
    if kit.tools.stop.patience(history, loss):
        break
