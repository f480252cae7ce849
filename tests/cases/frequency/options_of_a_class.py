"""Of what class a default is: text is no list, a number is no tensor."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model, clip=0.0, device="cuda", kind=0):
        self.model = model.cuda()
        self.clip, self.device, self.kind = clip, device, kind

    def fit(self, count):
        for i in range(count):
            norm = 0
            loss = self.model(torch.randn(4, 8, device="cuda")).mean()
            loss.backward()
            if self.clip > 0:
                norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            if isinstance(norm, torch.Tensor):
                print(loss.item())  # sync: host-read note
            if isinstance(self.device, (list, tuple)):
                print(loss.item())  # sync: host-read note
            if isinstance(self.device, str):
                print(loss.item())  # sync: host-read
            if not isinstance(self.device, (str, int)):
                print(loss.item())  # sync: host-read note
            if isinstance(self.device, torch.device):
                print(loss.item())  # sync: host-read note
            if isinstance(self.kind, int):
                print(loss.item())  # sync: host-read
            if isinstance(self.kind, Trainer):
                print(loss.item())  # sync: host-read
            if isinstance(loss, torch.Tensor):
                print(loss.item())  # sync: host-read
