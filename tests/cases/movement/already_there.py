""".to(device) and .cuda() of what is on the GPU, and of a dtype."""
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
    x = x.to(device).cuda()
    z = x.to(torch.float16).to(y.device).float()
    z = x.half().type(torch.float32).to(memory_format=torch.contiguous_format)
    w = model.weight.to(x)
    m = model.to(device)
