"""The same flag as a Python bool asks the GPU nothing."""
import torch

device = torch.device("cuda")
class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(16, 16)

    def forward(self, x, has_padding: bool = False):
        y = self.lin(x)
        if has_padding:
            y = y * 2
        return y


layers = torch.nn.ModuleList([Layer() for _ in range(4)]).to(device)
for step in range(100):
    x = torch.randn(8, 16, device=device)
    for layer in layers:
        x = layer(x, has_padding=x.shape[0] > 4)
    x.sum().backward()
