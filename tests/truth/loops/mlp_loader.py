"""A wide MLP whose batches cost the host about as long as the GPU needs for a step."""
import numpy as np
import torch
from torch import nn


def batches(rng, count):
    base = rng.standard_normal((256, 4096), dtype=np.float32)
    for _ in range(count):
        noise = rng.standard_normal((160, 4096), dtype=np.float32)
        yield base[:160] + noise


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    model = nn.Sequential(nn.Linear(4096, 4096), nn.GELU(), nn.Linear(4096, 4096), nn.GELU(), nn.Linear(4096, 4096)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    wide = torch.randn(1400, 4096, device="cuda")
    seen = 0.0
    for batch in batches(rng, 10000000):
        x = torch.from_numpy(batch).cuda()
        out = model(torch.cat([x, wide]))
        loss = out.pow(2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        seen += loss.item()
        optimizer.step()


if __name__ == "__main__":
    main()
