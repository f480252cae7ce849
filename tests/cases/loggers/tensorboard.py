"""TensorBoard reads a tensor that it is given."""
import torch
import torch.nn.functional as F
from torch.utils.tensorboard import SummaryWriter

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
writer = SummaryWriter()

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    writer.add_scalar("loss", loss, step)  # sync: copy-to-host
    writer.add_scalar("lr", opt.param_groups[0]["lr"], step)
    writer.add_histogram("weight", model.weight, step)  # sync: copy-to-host
