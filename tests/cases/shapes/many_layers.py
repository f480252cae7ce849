"""More layers than a call has places for arguments, and copies to the CPU, which have bytes of their own."""
import torch
import torch.nn as nn


class Deep(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layers = [nn.Conv2d(3, width, 3, padding=1), nn.ReLU()]
        for _ in range(depth):
            layers += [nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        layers.append(nn.Conv2d(width, 5, 3, padding=1))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return x.mean() - self.layers(x)


model = Deep(16, 20).cuda()
images = torch.randn(4, 3, 32, 32, device="cuda")
for step in range(10):
    out = model(images)
    same = out + 1  # is: cuda float (4, 5, 32, 32)
    host = out.cpu()  # sync: copy-to-host
    half = host[:2] * 2  # is: cpu float (2, 5, 32, 32)
