"""One flag computed on the GPU and tested in each layer: a wait a layer."""
import torch

device = torch.device("cuda")
class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(16, 16)

    def forward(self, x, has_padding):
        y = self.lin(x)
        if has_padding:  # sync: tensor-truth
            y = y * 2
        return y


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(4)])

    def forward(self, x, mask):
        has_padding = mask.any()
        for layer in self.layers:
            x = layer(x, has_padding)
        return x


net = Net().to(device)
for step in range(100):
    x = torch.randn(8, 16, device=device)
    net(x, x > 3).sum().backward()
