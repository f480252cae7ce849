"""What nobody in sight passes to a forward takes no place of what is passed: five kinds of calls are kept apart."""
import torch
from torch import nn


class Distance(nn.Module):
    def forward(self, a, b):
        dots = torch.matmul(a, b.transpose(-2, -1))
        left = torch.norm(a, p=2, dim=-1).unsqueeze(-1)
        right = torch.norm(b, p=2, dim=-1).unsqueeze(-2)
        far = torch.maximum(left * right, torch.full_like(left, 0.001))
        near = dots.div_(far) * 2 - 1
        return near.abs().pow(2).sum(-1)


def fit(metric):
    distance = dict(euclid=torch.cdist, angle=Distance())[metric]
    host, whole = torch.ones(8, 8), torch.arange(64).view(8, 8)
    device = torch.ones(8, 8, device="cuda")
    for _ in range(100):
        print(distance(host, host).mean().item())
        print(distance(whole, host).mean().item())
        print(distance(host, whole).mean().item())
        print(distance(device, device).mean().item())  # sync: host-read
        print(distance(whole, whole).mean().item())
