"""Four ways of writing a number into a string; each reads the GPU once."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(10, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(64, 10, device=device)
y = torch.randn(64, 1, device=device)
criterion = nn.MSELoss()
lines = []
for step in range(200):
    loss = criterion(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    lines.append(f"step {step} loss {loss:.4f}")  # sync: host-read
    lines.append("loss %.3f" % loss)  # sync: host-read
    lines.append("step %d loss %.3f" % (step, loss))  # sync: host-read
    lines.append("loss {:.3f}".format(loss))  # sync: host-read
    lines.append(f"shape {tuple(x.shape)} lr {opt.param_groups[0]['lr']:.2e}")
