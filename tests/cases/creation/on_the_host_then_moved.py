"""The same made on the host and moved each step."""
import numpy as np
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
    noise = torch.randn(8, 16).to(device)  # sync: copy-to-device
    mask = (torch.rand(8) < 0.5).cuda()  # sync: copy-to-device
    places = torch.arange(8).to(x.device)  # sync: copy-to-device
    data = torch.from_numpy(np.zeros((8, 16), dtype=np.float32)).to(device)  # sync: copy-to-device
