# options: --min-confidence possible
"""In a loop that queues nothing long even what is sure to be on the GPU is only likely to matter: such loops write reports and
make models."""
import torch

parts = [torch.ones(8, device="cuda"), torch.ones(9, device="cuda")]
weight = torch.rand(8, 8, device="cuda")
for part in parts:
    print(part.sum().item())  # sync: host-read likely
while True:
    weight = weight @ weight
    print(weight.sum().item())  # sync: host-read certain
