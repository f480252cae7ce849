"""A layer that holds no tensor has nothing to move: `.to(device)` of it is no copy, of one with weights it is."""
import torch
import torch.nn as nn

dev = torch.device("cuda")
x = torch.randn(8, 16, device=dev)
y = torch.randint(0, 16, (8,), device=dev)
for step in range(100):
    criterion = nn.CrossEntropyLoss().to(dev)
    act = nn.GELU().cuda()
    drop = nn.Dropout(0.1).to(dev)
    pool = nn.AdaptiveAvgPool1d(4).to(dev)
    smooth = nn.SmoothL1Loss().cuda()
    linear = nn.Linear(16, 16).to(dev)  # sync: copy-to-device
    slope = nn.PReLU().to(dev)  # sync: copy-to-device
    norm = nn.LayerNorm(16).cuda()  # sync: copy-to-device
    block = nn.Sequential(nn.Linear(16, 16), nn.ReLU()).to(dev)  # sync: copy-to-device
    made = nn.Linear(16, 16, device=dev)
    loss = criterion(act(linear(x)), y)
    act = act.cpu()
