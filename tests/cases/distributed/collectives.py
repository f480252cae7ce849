"""Collectives of GPU tensors are queued, also when they are waited for on the stream."""
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
    value = loss.detach().clone()
    dist.all_reduce(value)
    work = dist.all_reduce(value, async_op=True)
    work.wait()
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    dist.broadcast(x, src=0)
    mean = value / dist.get_world_size()
