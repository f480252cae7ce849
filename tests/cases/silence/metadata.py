"""Shapes, dtypes and devices are known to the host without asking the GPU."""
import torch
import torch.nn as nn

device = torch.device("cuda")
conv = nn.Conv2d(3, 8, 3).to(device)
for step in range(100):
    x = torch.randn(4, 3, 32, 32, device=device)
    b, c, h, w = x.shape
    if x.dim() != 4 or x.size(1) != 3 or x.numel() == 0 or x.shape[-1] < 8:
        raise ValueError(f"bad shape {tuple(x.shape)}")
    assert x.is_cuda and x.dtype == torch.float32 and x.is_contiguous()
    y = conv(x)
    if y.requires_grad and len(y) > 2 and y.ndim == 4:
        y = y.detach()
    flat = y.view(b, -1)
    pad = torch.zeros(b, h * w, device=x.device, dtype=x.dtype)
    for i in range(x.size(0)):
        row = flat[i]
    print(step, y.shape, y.size(0), y.device, y.dtype, pad.shape, row.stride(), y.element_size() * y.nelement())
