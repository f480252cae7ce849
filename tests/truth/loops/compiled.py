"""A torch.compile'd encoder; what it loses is read, and checked before the backward pass."""
import torch
from torch import nn

device = torch.device("cuda")


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


def main():
    torch.manual_seed(0)
    model = nn.Sequential(*[Layer(1024) for _ in range(8)]).to(device)
    compiled = torch.compile(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    x = torch.randn(4096, 1024, device=device)
    total = 0.0
    for step in range(10000000):
        loss = (compiled(x) - x).pow(2).mean()
        if torch.isnan(loss):
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()


if __name__ == "__main__":
    main()
