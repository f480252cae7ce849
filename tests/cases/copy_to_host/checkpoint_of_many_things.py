"""A checkpoint of the model itself among much else: more kinds of things than one value keeps."""
import argparse
from copy import deepcopy
from datetime import datetime
from pathlib import Path

import numpy as np
import torch

options = argparse.ArgumentParser().parse_args()
device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
small = torch.nn.Conv2d(3, 8, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    for step in range(100):
        loss = model(torch.randn(8, 16, device=device)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    checkpoint = {
        "epoch": epoch,
        "model": deepcopy(model).half(),
        "small": small,
        "fitness": np.zeros(3),
        "options": vars(options),
        "none": None,
        "path": Path("runs"),
        "date": datetime.now().isoformat(),
        "device": device,
    }
    torch.save(checkpoint, "last.pt")  # sync: copy-to-host note
