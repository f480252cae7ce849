"""Memory statistics are kept by the host."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    used = torch.cuda.memory_allocated() / 2**20
    free, total = torch.cuda.mem_get_info()
    stats = torch.cuda.memory_stats()
    torch.cuda.reset_peak_memory_stats()
    print(step, used, free, total, len(stats))
