"""The same call under other names."""
import torch
import torch.cuda as tc
from torch import cuda
from torch.cuda import synchronize as wait_for_gpu

sync = torch.cuda.synchronize
x = torch.randn(256, 256, device="cuda")
for i in range(10):
    x = x @ x
    sync()  # sync: explicit-sync
    cuda.synchronize()  # sync: explicit-sync
    tc.synchronize(device=0)  # sync: explicit-sync
    wait_for_gpu()  # sync: explicit-sync
torch.cuda.synchronize()
