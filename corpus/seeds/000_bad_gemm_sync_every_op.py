# Article 000, the benchmark: forced wait after every operation against asynchronous queuing.
import torch

x = torch.randn(512, 512, device="cuda", dtype=torch.float16)
w = torch.randn(512, 512, device="cuda", dtype=torch.float16)

for _ in range(100):
    y = x @ w
torch.cuda.synchronize()

for _ in range(100):
    y = x @ w
    torch.cuda.synchronize()  # sync: explicit-sync

for _ in range(10):
    y = x @ w
    value = y[0, 0].item()  # sync: host-read

for _ in range(10):
    y = x @ w
    print(y)  # sync: print-tensor
