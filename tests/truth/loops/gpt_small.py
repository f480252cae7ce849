"""A small GPT under autocast: many small kernels."""
import torch
from torch import nn
from torch.nn import functional as F

from gpt_common import GPT

device = "cuda"


def main():
    torch.manual_seed(0)
    model = GPT(vocabulary=1024, length=128, width=384, heads=6, layers=6).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    data = torch.randint(0, 1024, (64, 8, 129)).pin_memory()
    smoothed = 0.0
    for step in range(10000000):
        ids = data[step % 64].to(device, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(ids[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        if not torch.isfinite(loss):
            raise RuntimeError("the loss is not finite")
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        smoothed = 0.9 * smoothed + 0.1 * norm.item()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        smoothed += float(loss)


if __name__ == "__main__":
    main()
