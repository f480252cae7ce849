import torch
import torch.nn as nn
from torch.optim import SGD


class ContinualModel(nn.Module):
    NAME = None

    def __init__(self, backbone, loss, args, transform):
        super().__init__()
        self.net = backbone
        self.loss = loss
        self.args = args
        self.transform = transform
        self.opt = SGD(self.net.parameters(), lr=args.lr)
        self.device = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
        self.net.to(self.device)

    def forward(self, x):
        return self.net(x)

    def observe(self, inputs, labels, not_aug_inputs) -> float:
        raise NotImplementedError
