"""Shapes that comments say, of what nobody in sight gives: names in the order in which the statement binds them."""
import torch
import torch.nn as nn
from elsewhere import batches, load, open_batches, pairs

model = nn.Conv2d(3, 8, 3).cuda()


def one(pictures, scale=1.0):  # syncl: shape=(16, 3, 10, 10)
    return model(pictures)  # is: cuda float (16, 8, 8, 8)


class Stage(nn.Module):
    # syncl: shape=(4, 3, 12, 12)
    def forward(self, pictures):
        return model(pictures)  # is: cuda float (4, 8, 10, 10)

    @staticmethod
    def plain(pictures):  # syncl: shape=(5, 3, 12, 12)
        return model(pictures)  # is: cuda float (5, 8, 10, 10)


stage = Stage()
for images in batches():  # syncl: shape=(64, 3, 224, 224)
    out = model(images.cuda(non_blocking=True))  # is: cuda float (64, 8, 222, 222)
    one(load())
    stage(load())
    Stage.plain(load())
    left, (labels, right) = pairs()  # syncl: shape=(8, 3, 4, 4), (8,), [2, 3, 6, 6]
    model(left.cuda(non_blocking=True))  # is: cuda float (8, 8, 2, 2)
    model(right.cuda(non_blocking=True))  # is: cuda float (2, 8, 4, 4)
    first, second = pairs()  # syncl: shape=(8, 3, 4, 4) of the first alone
    model(first.cuda(non_blocking=True))  # is: cuda float (8, 8, 2, 2)
    stage.kept = load()  # syncl: shape=(7,3,5,5)
    model(stage.kept.cuda(non_blocking=True))  # is: cuda float (7, 8, 3, 3)
    with open_batches() as opened:  # syncl: hot  # syncl: shape=(3, 3, 5, 5)
        model(opened.cuda(non_blocking=True))  # is: cuda float (3, 8, 3, 3)
    known = torch.zeros(2, 3, 5, 5, device="cuda")  # syncl: shape=(9, 3, 5, 5)
    model(known)  # is: cuda float (2, 8, 3, 3)
    out.sum().backward()
