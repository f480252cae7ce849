"""What only its uses say is a GPU tensor is one when it was sent there in so many words."""
import torch
from torch import nn


class Boundary:
    def __init__(self, model: nn.Module, steps=20):
        self.model = model.eval()
        self.device = next(model.parameters()).device
        self.steps = steps

    def __call__(self, images, labels):
        if self.steps > 10:
            images = self.coarse(images)
        return self.forward(images, labels)

    def forward(self, images, labels):
        images = images.clone().detach().to(self.device)
        kept = images.clone().detach()
        for _ in range(self.steps):
            found = (images != kept).nonzero()  # sync: dynamic-shape likely
            if images.sum() > 0:  # sync: tensor-truth likely
                break
        return found
