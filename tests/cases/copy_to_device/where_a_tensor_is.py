"""What is made on the CPU and moved to where some tensor is: nobody would if that were the CPU. The place of a tensor that is made
on the CPU in sight is the CPU."""
import torch
from torch import nn

from elsewhere import mean_of_all


class Sphere(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def rotate(self, z):
        base = torch.zeros(z.shape[-1]).to(z.device)  # sync: copy-to-device
        scale = torch.tensor([2.0]).to(z.device).log()  # sync: copy-to-device
        return z * scale + base

    def forward(self, x):
        mean = mean_of_all()
        z = mean + torch.randn_like(mean)  # is: tensor
        host = torch.rand(3)
        near = torch.rand(3).to(host.device)
        there = x.to(z.device)
        elsewhere = mean.to(z.device)
        return self.rotate(z), near, there, elsewhere
