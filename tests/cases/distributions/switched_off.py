"""Validation switched off for the whole program."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
torch.distributions.Distribution.set_default_validate_args(False)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    policy = torch.distributions.Categorical(logits=model(x))
    score = policy.log_prob(policy.sample())
    noise = torch.distributions.Normal(x, torch.ones_like(x)).rsample()
