# options: --min-confidence possible
"""What is done for an empty batch is done now and then: a note, and likely at most."""
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def loss_of(out, labels):
    if labels.size(0) == 0:
        return torch.tensor(0.0, device=device)  # sync: tensor-from-host note likely
    if len(labels) == 0 or labels.numel() == 0:
        return torch.tensor(0.0, device=device)  # sync: tensor-from-host note likely
    if labels.shape[0] != 0:
        scale = torch.tensor(2.0, device=device)  # sync: tensor-from-host
        return nn.functional.cross_entropy(out, labels) * scale
    return torch.tensor(1.0, device=device)  # sync: tensor-from-host note likely


for x, y in torch.utils.data.DataLoader([(torch.rand(8), 1)]):
    loss = loss_of(model(x.to(device)), y.to(device))  # sync: copy-to-device x2
    opt.zero_grad()
    loss.backward()
    opt.step()
