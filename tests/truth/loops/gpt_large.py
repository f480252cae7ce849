"""A GPT large enough that the GPU sets the pace; text is made on the host."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from gpt_common import GPT


def sample(rng, table, batch, length):
    start = rng.integers(0, len(table) - length, batch)
    return np.stack([table[s:s + length] for s in start])


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    table = rng.integers(0, 8192, 1000000)
    model = GPT(vocabulary=8192, length=512, width=1024, heads=16, layers=4).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scale = torch.ones((), device="cuda")
    log = []
    for step in range(10000000):
        ids = torch.tensor(sample(rng, table, 8, 513), device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(ids[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten()) * scale
        log.append(loss.item())
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if norm > 1e6:
            raise RuntimeError("the gradient explodes")
        log = log[-100:]


if __name__ == "__main__":
    main()
