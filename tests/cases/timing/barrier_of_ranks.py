"""A barrier orders ranks and an emptied cache makes room, whoever reads a clock behind them; a synchronisation there is
the clock's."""
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

dist.init_process_group("nccl")
device = torch.device("cuda")
model = nn.parallel.DistributedDataParallel(nn.Linear(64, 10).to(device))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    x = torch.randn(32, 64, device=device)
    y = torch.randint(0, 10, (32,), device=device)
    dist.barrier()  # sync: library-wait
    t0 = time.time()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    opt.zero_grad()
    dist.barrier()  # sync: library-wait
    if dist.get_rank() == 0:
        print(f"step {step}: {time.time() - t0:.3f} s")
    torch.cuda.synchronize()  # sync: sync-for-timer
    t1 = time.time()
    F.cross_entropy(model(x), y).backward()
    torch.cuda.synchronize()  # sync: sync-for-timer
    print(time.time() - t1)
    torch.cuda.empty_cache()  # sync: explicit-sync
    t2 = time.time()
    F.cross_entropy(model(x), y).backward()
    torch.cuda.synchronize()  # sync: sync-for-timer
    print(time.time() - t2)
