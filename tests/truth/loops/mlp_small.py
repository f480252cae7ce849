"""A small MLP: the host sets the pace."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(20000, 256), torch.randint(0, 10, (20000,)))
    loader = DataLoader(data, batch_size=64, shuffle=True, pin_memory=True)
    model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    running, correct = 0.0, 0
    for epoch in range(1000000):
        for x, y in loader:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            running += loss.item()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            hits = (logits.argmax(1) == y).sum()
            correct += hits.item()
            print("loss", loss.detach())


if __name__ == "__main__":
    main()
