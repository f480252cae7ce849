"""What runs once in N steps or once an epoch is a note; each step is a warning; once a run is nothing."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(16, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 16, device=device)
y = torch.randint(0, 4, (64,), device=device)
print("before", nn.functional.cross_entropy(model(x), y).item())
for epoch in range(10):
    total = torch.zeros((), device=device)
    for step in range(1000):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if step % 100 == 0:
            print(f"{step}: {loss.item():.4f}")  # sync: host-read note
        if (step + 1) % 50 == 0:
            torch.cuda.synchronize()  # sync: explicit-sync note
        if step == 500:
            print("half way", step)
    print(f"epoch {epoch}: {total.item() / 1000:.4f}")  # sync: host-read note
print("after", nn.functional.cross_entropy(model(x), y).item())
