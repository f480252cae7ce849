"""A policy's distribution checks its arguments on the host, at construction and in log_prob."""
import torch
import torch.nn as nn
from torch.distributions import Categorical, Normal

device = torch.device("cuda")
policy = nn.Linear(8, 4).to(device)
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)
obs = torch.randn(256, 8, device=device)
advantages = torch.randn(256, device=device)
for update in range(100):
    dist = Categorical(logits=policy(obs))  # sync: distribution-validation
    actions = dist.sample()
    logp = dist.log_prob(actions)  # sync: distribution-validation
    entropy = dist.entropy().mean()
    loss = -(logp * advantages).mean() - 0.01 * entropy
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    quiet = Categorical(logits=policy(obs), validate_args=False)
    again = quiet.log_prob(actions)
    mean = policy(obs)
    normal = Normal(mean, torch.ones_like(mean))  # sync: distribution-validation
    noise = normal.rsample()
