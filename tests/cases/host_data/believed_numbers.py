"""What an unseen call gives for a tensor, and flags and sizes that come with a batch: used as numbers are, they are some."""
import backend as tl
import torch
from torch import nn


class Factorized(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)

    def forward(self, x, inputs):
        order = tl.ndim(x) - 2
        for i in range(order):
            x = x.transpose(-1, i + 1) @ self.weight
        if inputs["predict_mode"]:
            return x
        shape, leading = tl.parts(x)
        if leading:
            x = x[:, :leading]
        loss = tl.norm(x) / 2
        print(f"norm {loss.item():.3f}")  # sync: host-read note
        return x


def train(net, loader):
    net = net.cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        loss = net(x.cuda(), {"predict_mode": True}).sum()  # sync: copy-to-device
        loss.backward()
        opt.step()


if __name__ == "__main__":
    data = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randn(64))
    train(Factorized(torch.randn(8, 8)), torch.utils.data.DataLoader(data, 8))
