"""A framework behind a wrapper: get_accelerator().synchronize() is the device that is waited for."""
import torch

def get_accelerator():
    return torch.cuda


model = torch.nn.Linear(16, 4).cuda()
for step in range(100):
    model(torch.randn(8, 16, device="cuda")).sum().backward()
    get_accelerator().synchronize()  # sync: explicit-sync
