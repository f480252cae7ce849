"""A step gives its batch to a function of the data's: on the GPU for certain."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from lab.data.features import masked_mean

model = nn.Linear(16, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.rand(64, 16)), batch_size=8, pin_memory=True)
for (x,) in loader:
    x = x.cuda(non_blocking=True)
    out = model(x)
    loss = out.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(masked_mean(out.detach(), x[:, :4]))
