"""A read behind a rank guard delays every rank."""
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
    if dist.get_rank() == 0:
        print(f"{value.item():.3f}")  # sync: host-read
