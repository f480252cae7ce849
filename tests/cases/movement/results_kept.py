"""Results kept on the GPU and copied once."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
outputs = []
staging = torch.empty(8, 4, pin_memory=True)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    outputs.append(model(x).softmax(-1).detach())
    staging.copy_(outputs[-1], non_blocking=True)
print(torch.cat(outputs).cpu().numpy().shape)
