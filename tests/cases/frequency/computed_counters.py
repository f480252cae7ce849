"""What is computed from the index of a loop counts as that does: it equals a number in some turns only."""
import torch
from torch import nn

model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
total, steps_per_epoch, epochs = 10000, 1000, 10
for t in range(total):
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    width = loss.shape[0] if loss.ndim else 1
    if t + 1 == total:
        print(loss.item())
    if (t + 1) % steps_per_epoch == 0:
        epoch = (t + 1) // steps_per_epoch
        if epoch == epochs:
            torch.save(model.state_dict(), "last.pt")  # sync: copy-to-host note likely
    if width == 1:
        print(loss.max().item())  # sync: host-read certain
