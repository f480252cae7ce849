"""`x.device.index` is the number of the GPU where x is: what is moved there is on the GPU, and stays there."""
import torch


def evaluate(model, loader):
    model.cuda()
    for x, y in loader:
        classes = model(x.cuda()).argmax(1)  # sync: copy-to-device
        y = y.cuda()  # sync: copy-to-device
        hard = torch.zeros((4, 3)).to(classes.device.index)  # sync: copy-to-device
        soft = torch.zeros((4, 3), device=classes.device.index)
        for c in range(3):
            hard[:, c] = (classes == c).float().sum(1)
            soft[:, c] = (classes != c).float().sum(1)
        if x.device.index is not None:
            hard[:, 0] += soft[:, 0]
        hard.to(classes.device.index)
