"""wandb.log copies what it is given."""
import torch
import torch.nn.functional as F
import wandb

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
wandb.init(project="demo")

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    wandb.log({"loss": loss, "lr": opt.param_groups[0]["lr"]})  # sync: copy-to-host
