"""What a call that nobody sees gives is not known by what it is given, though that is surely a tensor."""
import torch
from torch import nn
from torch.utils.data import DataLoader

from shapes_of_tensors import distance, size


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 8, 3)

    def forward(self, images: torch.Tensor):
        if images.ndim == 5:
            images = images.squeeze(2)
        if images.ndim == 4 and size(images, "b [c] ...") == 1:
            images = images.repeat(1, 3, 1, 1)
        closest = distance(images, images).min()
        if closest > 3:  # sync: tensor-truth
            images = images * 2
        if images.mean() > 0:  # sync: tensor-truth
            images = images - images.mean()
        return self.layer(images)


def train(dataset):
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images in DataLoader(dataset, batch_size=32, pin_memory=True):
        loss = model(images.cuda(non_blocking=True)).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
