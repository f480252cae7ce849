"""Losses in a dict, as detection models give them; keys and values followed through items()."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(32, 64)
        self.cls = nn.Linear(64, 5)
        self.box = nn.Linear(64, 4)

    def forward(self, x, labels, boxes):
        h = torch.relu(self.body(x))
        return {
            "loss_cls": F.cross_entropy(self.cls(h), labels),
            "loss_box": F.l1_loss(self.box(h), boxes),
        }


model = TwoHeads().cuda()
opt = torch.optim.SGD(model.parameters(), lr=1e-2)
x = torch.randn(16, 32).cuda()
labels = torch.randint(0, 5, (16,)).cuda()
boxes = torch.rand(16, 4).cuda()
for it in range(300):
    loss_dict = model(x, labels, boxes)
    losses = sum(loss_dict.values())
    opt.zero_grad()
    losses.backward()
    opt.step()
    logged = {k: v.item() for k, v in loss_dict.items()}  # sync: host-read
    for name, value in logged.items():
        print(it, name, round(value, 4))
    box = loss_dict["loss_box"].item()  # sync: host-read
