"""The old typed constructors."""
import torch

x = torch.randn(3, device="cuda")
for i in range(100):
    flags = torch.cuda.BoolTensor([False, True, False])  # sync: tensor-from-host
    offset = torch.cuda.FloatTensor([i, i, i])  # sync: tensor-from-host
    moved = torch.FloatTensor([1, 2, 3]).cuda()  # sync: copy-to-device
    x = x * 0.5 + offset + moved + flags
