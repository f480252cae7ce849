# options: --min-confidence possible
"""A tensor that nothing places is told where it trains or is evaluated, and where it is copied away, but not in any loop: data
sets, exports and plots go over such tensors on the CPU."""
import torch
from somewhere import Model, frames, losses

spread = []
for frame in frames:
    levels = torch.stack(frame)
    spread.append(levels.std().item())
    if levels.isnan().any():
        break
    spread.append(levels.cpu())

model = Model()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for frame in frames:
    levels = torch.stack(losses)
    if levels.isnan().any():  # sync: tensor-truth likely
        continue
    model(frame).sum().backward()
    optimizer.step()
