"""A tensor without elements is copied without a wait, however it was made."""
import torch

for step in range(100):
    a = torch.Tensor([]).cuda()
    b = torch.FloatTensor([]).cuda()
    c = torch.empty(0, 4).cuda()
    d = torch.Tensor([0]).cuda()  # sync: copy-to-device
    e = torch.LongTensor([0, 1]).cuda()  # sync: copy-to-device
    f = torch.FloatTensor(0).cuda()
    h = torch.FloatTensor([[0, 1]]).cuda()  # sync: copy-to-device
    g = torch.Tensor(4, 2).cuda()  # sync: copy-to-device
    (a.sum() + b.sum() + c.sum() + d.sum() + e.sum() + f.sum() + g.sum() + h.sum()).backward()
