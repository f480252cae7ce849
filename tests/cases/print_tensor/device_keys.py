"""A parameter `device`, or one annotated so, is a device, also of a forward that nobody in sight calls."""
import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}

    def table(self, device: torch.device, dtype: torch.dtype = torch.float32):
        key = (device.type, str(device), f"{dtype}")
        if key not in self.kept:
            self.kept[key] = torch.arange(8, device=device, dtype=dtype)
        return self.kept[key]

    def forward(self, frames, device, place: torch.device):
        print(f"on {device} and {place}")
        print(f"of {frames}")
        return self.table(device) * frames + self.table(place)
