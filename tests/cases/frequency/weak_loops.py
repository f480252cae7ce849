# options: --min-confidence possible
"""In a loop that queues nothing long even what is sure to be on the GPU is only likely to matter: such loops write reports and
make models. In other loops that are no step it is likely too: they may be set-up."""
import torch

parts = [torch.ones(8, device="cuda"), torch.ones(9, device="cuda")]
weight = torch.rand(8, 8, device="cuda")
for part in parts:
    print(part.sum().item())  # sync: host-read likely
while True:
    weight = weight @ weight
    kept = weight.cpu()  # sync: copy-to-host likely
    torch.cuda.synchronize()  # sync: explicit-sync likely
    print(weight.sum().item())  # sync: host-read likely
