# Article 000, "Common Implicit Synchronization Points", each in a loop.
import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(32, 8).to(device)
data = [torch.randn(16, 32, device=device) for _ in range(5)]

for batch in data:
    x = net(batch).detach()
    loss = x.pow(2).mean()

    loss_value = loss.item()  # sync: host-read
    print(f"Loss: {loss}")  # sync: host-read

    x_cpu = x.cpu()  # sync: copy-to-host
    # The article says that x.numpy() waits. On a GPU tensor it raises; on a CPU tensor it is free.
    x_np = x_cpu.numpy()

    indices = torch.tensor([0, 1, 2])
    y = x[indices]  # sync: index-from-host

    # The article says that .any() forces the wait. It does not (facts: x.isnan().any() is quiet); the `if` does.
    positive = (x > 0).any()
    if (x > 0).any():  # sync: tensor-truth
        y = y + 1

    # An allocation waits only when memory has run out and is freed: not a finding.
    z = torch.randn(100, 100, device="cuda")
