"""Saving GPU tensors copies them; once an epoch it is a note, on every step a warning."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(256, 256).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 256, device=device)
for epoch in range(10):
    for step in range(100):
        y = model(x)
        loss = (y - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.save(y, f"activations/{epoch}-{step}.pt")  # sync: copy-to-host
    torch.save(model.state_dict(), f"model-{epoch}.pt")  # sync: copy-to-host note
torch.save(model.state_dict(), "final.pt")
