"""Less common spellings of the same copy."""
import torch

cpu = torch.device("cpu")
x = torch.randn(64, 64, device="cuda")
keep = []
for step in range(30):
    x = torch.relu(x @ x).div(64)
    keep.append(x.numpy(force=True))  # sync: copy-to-host
    keep.append(x.to(cpu))  # sync: copy-to-host
    keep.append(x.to(device="cpu", dtype=torch.float64))  # sync: copy-to-host
    keep.append(x.type(torch.FloatTensor))  # sync: copy-to-host
    half = x.type(torch.float16).float()
    keep.append(half.to(torch.bfloat16))
