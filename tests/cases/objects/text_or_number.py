"""What may be a word or a number is a number where it is multiplied with a tensor."""
import argparse

import torch
from torch import nn


def train(batches, alpha="auto", lr=1e-3):
    device = torch.device("cuda")
    policy = nn.Linear(4, 2).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr)
    automatic = alpha == "auto"
    if automatic:
        log_alpha = torch.zeros(1, requires_grad=True, device=device)
        alpha = log_alpha.exp().item()
    else:
        alpha = float(alpha)

    def update(batch):
        nonlocal alpha
        log_p = torch.log_softmax(policy(batch.to(device)), -1) if automatic or alpha else None  # sync: copy-to-device
        loss = (alpha * log_p).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        alpha = log_alpha.exp().item()  # sync: host-read
        return loss

    for batch in batches:
        print(update(batch).item())  # sync: host-read


parser = argparse.ArgumentParser()
parser.add_argument("--alpha", default="auto")
train(torch.randn(10, 8, 4), parser.parse_args().alpha)
