"""Writing Python numbers into single places of a GPU tensor."""
import torch

device = torch.device("cuda")
x = torch.zeros(128, 128, device=device)
idx = torch.randint(0, 128, (16,), device=device)
fill = torch.zeros((), device=device)
for step in range(100):
    x = torch.cos(x)
    x[0, 0] = 5.0  # sync: index-from-host
    x[idx] = 0  # sync: index-from-host
    x[:, idx] = 1.0  # sync: index-from-host
    x[idx] = fill
    x[0] = 0
    x[:, 3] = 0
    x[0:10] = 1.0
    x.index_fill_(0, idx, 0.0)
