# options: --min-confidence possible
"""torch.tensor of what nobody knows, onto the GPU: host data, since of a tensor it warns. as_tensor takes both."""
import torch
from torch import nn


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, x):
        return self.body(x)


def main(env, normalizer, buffer):
    device = torch.device("cuda")
    net = QNet().to(device)
    opt = torch.optim.Adam(net.parameters())
    state, _ = env.reset()
    for step in range(100000):
        x = torch.tensor(state, dtype=torch.float32, device=device).unsqueeze(0)  # sync: tensor-from-host likely
        scale = torch.as_tensor(normalizer.scale, device=device)  # sync: tensor-from-host possible
        drift = x.new_tensor(normalizer.drift)  # sync: tensor-from-host likely
        loss = net(x * scale + drift).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        buffer.push(torch.tensor(state), loss.detach())
        state, *_ = env.step(step)
