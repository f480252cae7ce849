"""The norm tested, read or checked for NaN each step."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if norm > 10:  # sync: tensor-truth
        continue
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)  # sync: library-wait
    value = float(norm)  # sync: host-read
