"""tqdm with numbers of the host."""
import torch
import torch.nn.functional as F
from tqdm import tqdm

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
bar = tqdm(range(100))

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    bar.update(1)
    bar.set_postfix(step=step, lr=opt.param_groups[0]["lr"], rows=x.shape[0])
    bar.set_description(f"step {step} of 100, {len(y)} labels")
    tqdm.write("step")
