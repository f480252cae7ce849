"""A branch that closes the door behind itself runs once; `device.type` is the GPU's."""
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.checked = False
        self.scale = None

    def forward(self, x, device):
        if not self.checked:
            if x.isnan().any():
                raise ValueError("bad input")
            self.checked = True
        if self.scale is None:
            self.scale = x.std().item()
        if device.type == "mps":
            x = x.cpu()
        if device.type == "cuda":
            print(x.mean().item())  # sync: host-read
        return self.fc(x) * self.scale


device = torch.device("cuda")
net = Net().to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    x = torch.randn(4, 8, device=device)
    loss = net(x, device).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()


class Normed(nn.Module):
    """What is called fills the flag in place: a buffer."""

    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n))
        self.register_buffer("ready", torch.tensor(0))
        self.register_buffer("kept", torch.tensor(0))
        self.register_buffer("scale", torch.ones(n))

    def prepare(self, x):
        self.scale.copy_(torch.as_tensor(x.std().item()))
        self.ready.fill_(1)

    def measure(self, x):
        self.scale.copy_(torch.as_tensor(x.std().item()))  # sync: copy-to-device, host-read
        self.kept.fill_(False)

    def forward(self, x):
        if not self.ready:  # sync: tensor-truth
            self.prepare(x)
        if not self.kept:  # sync: tensor-truth
            self.measure(x)
        return x @ self.weight * self.scale


class Averaging(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if "mean" not in state:
                    state["mean"] = p.data.cpu()
                if "turns" in state:
                    state["last"] = p.grad.cpu()  # sync: copy-to-host
                p.data.add_(p.grad, alpha=-0.1)

__all__ = ["Normed"]
