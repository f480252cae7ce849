"""A wait per evaluation batch is a warning; one per evaluation that runs each epoch is a note."""
import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    correct, count = 0, 0
    losses = torch.zeros((), device="cuda")
    for x, y in batches:
        logits = model(x)
        correct += (logits.argmax(1) == y).sum().item()  # sync: host-read
        losses += F.cross_entropy(logits, y)
        count += y.numel()
    model.train()
    return losses.item() / len(batches), correct / count  # sync: host-read note


device = torch.device("cuda")
batches = [(torch.randn(32, 16, device=device), torch.randint(0, 4, (32,), device=device)) for _ in range(20)]
model = nn.Linear(16, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    for x, y in batches:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    val_loss, val_acc = evaluate(model, batches)
    print(f"epoch {epoch} {val_loss:.4f} {val_acc:.2%}")
