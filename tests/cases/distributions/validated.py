"""Distributions validate their arguments on the host."""
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
    policy = torch.distributions.Categorical(logits=model(x))  # sync: distribution-validation
    action = policy.sample()
    score = policy.log_prob(action)  # sync: distribution-validation
    noise = torch.distributions.Normal(x, torch.ones_like(x))  # sync: distribution-validation
