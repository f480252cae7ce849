"""Batches are copied on a stream of their own, one step ahead; the host waits for an event before it reuses a buffer."""
import torch
from torch import nn

device = torch.device("cuda")


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2048, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 2048)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    source = torch.randn(4096, 2048)
    staging = torch.empty(4096, 2048).pin_memory()
    buffers = [torch.empty(4096, 2048, device=device) for _ in range(2)]
    copier = torch.cuda.Stream()
    copied, used = torch.cuda.Event(), torch.cuda.Event()
    total = 0.0
    for step in range(10000000):
        copied.synchronize()
        staging[:256] = source[:256]
        copier.wait_event(used)
        with torch.cuda.stream(copier):
            buffers[step % 2].copy_(staging, non_blocking=True)
            copied.record(copier)
        batch = buffers[(step + 1) % 2]
        loss = (model(batch) - batch).pow(2).mean()
        loss.backward()
        used.record()
        torch.cuda.current_stream().wait_event(copied)
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item()


if __name__ == "__main__":
    main()
