"""max, sorted, any, in, range and int of CPU tensors."""
import torch

lengths = torch.randint(1, 9, (64,))
model = torch.nn.Linear(16, 4).cuda()
for step in range(100):
    rows = lengths[step % 8:step % 8 + 8]
    widest = max(rows), min(rows), sorted(rows)[0], int(rows.max()), float(rows.float().mean())
    if any(rows > 8) or 3 in rows or rows.sum() > 60:
        continue
    for i in range(rows.max()):
        model(torch.randn(int(rows[0]), 16, device="cuda")).sum().backward()
    print(widest, f"{rows[0]}", rows)
