"""Another script beside them, which imports none of it."""
import torch

device = torch.device("cuda")
head = torch.nn.Linear(16, 16).to(device)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(100):
    x = torch.randn(8, 16, device=device)
    policy = torch.distributions.Categorical(logits=head(x))    # sync: distribution-validation
    loss = -policy.log_prob(policy.sample()).mean()    # sync: distribution-validation
    opt.zero_grad()
    loss.backward()
    opt.step()
