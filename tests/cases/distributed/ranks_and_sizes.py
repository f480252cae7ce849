"""Ranks, sizes and flags are the host's."""
import torch
import torch.distributed as dist
import torch.nn.functional as F

device = torch.device("cuda")
dist.init_process_group("nccl")
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(16, 4).to(device))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if dist.is_initialized() and dist.get_rank() == 0 and dist.get_world_size() > 0:
        print(step, dist.get_backend())
    if step % dist.get_world_size() == dist.get_rank():
        opt.param_groups[0]["lr"] *= 0.99
