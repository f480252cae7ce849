"""A progress bar that is given a tensor formats it on every step."""
import torch
import torch.nn as nn
from tqdm import tqdm

device = torch.device("cuda")
model = nn.Linear(10, 10).to(device)
opt = torch.optim.Adam(model.parameters())
pbar = tqdm(range(1000))
for step in pbar:
    x = torch.randn(16, 10, device=device)
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    pbar.set_postfix(loss=loss)  # sync: print-tensor
    pbar.set_description(f"step {step}")
