import torch
from flows.heads import score
from flows import Flow

device = torch.device("cuda")
flow = Flow(16).to(device)
opt = torch.optim.SGD(flow.parameters(), lr=0.1)
for step in range(100):
    x = torch.randn(8, 16, device=device)
    action = torch.randint(0, 16, (8,), device=device)
    loss = flow(x).mean() + score(x, action).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    policy = torch.distributions.Categorical(logits=x)
