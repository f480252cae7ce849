"""Filling a static GPU buffer from pageable and from pinned memory."""
import torch
import torch.nn as nn

device = torch.device("cuda")
model = nn.Linear(32, 32).to(device)
static_input = torch.zeros(8, 32, device=device)
pageable = torch.randn(8, 32)
pinned = torch.randn(8, 32).pin_memory()
with torch.no_grad():
    for i in range(100):
        static_input.copy_(pageable)  # sync: copy-to-device
        static_input.copy_(pinned)  # sync: copy-to-device
        static_input.copy_(pinned, non_blocking=True)
        out = model(static_input)
