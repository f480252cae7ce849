"""`and` between two GPU comparisons in a condition asks twice."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
w = torch.randn(16, 4, device=device, requires_grad=True)
x = torch.randn(64, 16, device=device)
y = torch.randint(0, 4, (64,), device=device)
for step in range(100):
    logits = x @ w
    loss = F.cross_entropy(logits, y)
    acc = (logits.argmax(1) == y).float().mean()
    loss.backward()
    if loss < 0.1 and acc > 0.99:  # sync: tensor-truth x2
        break
    with torch.no_grad():
        w -= 0.1 * w.grad
        w.grad.zero_()
