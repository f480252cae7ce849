"""Forward and backward pass are CUDA graphs; batches come from pageable memory, and two numbers are read each step."""
import torch
from torch import nn

device = torch.device("cuda")


def main():
    torch.manual_seed(0)
    model = nn.Sequential(*[nn.Sequential(nn.Linear(1024, 1024), nn.GELU()) for _ in range(24)]).to(device)
    x = torch.randn(1024, 1024, device=device)
    graphed = torch.cuda.make_graphed_callables(model, (x,))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    source = torch.randn(64, 1024, 1024)
    total, norms = 0.0, 0.0
    for step in range(10000000):
        batch = source[step % 64].to(device)
        loss = (graphed(batch) - batch).pow(2).mean()
        total += loss.item()
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        norms += norm.item()
        optimizer.step()


if __name__ == "__main__":
    main()
