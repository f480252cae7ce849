# Article 004, "Dynamic Shapes Can Trigger Synchronizations".
import torch

device = "cuda"
t = torch.randn(64, 8, device=device)
gpu_index = torch.full((), 7, device=device)
length = torch.full((), 3, device=device)
repeats = torch.ones(64, dtype=torch.long, device=device)

for step in range(5):
    bool_mask = t[:, 0] > 0
    a = t[bool_mask]  # sync: dynamic-shape
    b = t[:gpu_index]  # sync: host-read
    c = t.narrow(0, 2, length)  # sync: host-read
    d = torch.repeat_interleave(t, repeats, dim=0)  # sync: dynamic-shape
    e = torch.repeat_interleave(t, repeats, dim=0, output_size=64)
    f = t.narrow(0, 2, 3)
    t = t * 1.01
