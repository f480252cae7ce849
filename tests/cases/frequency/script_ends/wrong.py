import torch

x = torch.rand(4, 8, device="cuda")
if x.shape[0] != 4:
    for row in x:
        print(row.sum().item())
    raise RuntimeError("four rows")
