# Article 001, example 3: the same loop with and without a wait in every iteration.
import time

import torch

iterations = 100
start_time = time.time()
for _ in range(iterations):
    x = torch.randn(1024, 1024, device="cuda")
    y = torch.mm(x, x)
    torch.cuda.synchronize()  # sync: explicit-sync
end_time = time.time()
print(f"Time with synchronization: {end_time - start_time:.4f} seconds")

start_time = time.time()
for _ in range(iterations):
    x = torch.randn(1024, 1024, device="cuda")
    y = torch.mm(x, x)
end_time = time.time()  # sync: timer-unsynced
print(f"Time without synchronization: {end_time - start_time:.4f} seconds")
