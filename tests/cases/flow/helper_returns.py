"""Helpers that return tuples, dicts and nothing, followed through their calls."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def forward_losses(model, x, y):
    logits = model(x)
    ce = F.cross_entropy(logits, y)
    reg = sum(p.pow(2).sum() for p in model.parameters())
    return ce + 1e-4 * reg, {"ce": ce, "n": x.size(0)}, logits


def to_number(value):
    if isinstance(value, torch.Tensor):
        return value.item()  # sync: host-read
    return value


def main():
    device = torch.device("cuda")
    model = nn.Linear(8, 3).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(32, 8, device=device)
    y = torch.randint(0, 3, (32,), device=device)
    for step in range(100):
        loss, parts, logits = forward_losses(model, x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        line = {k: to_number(v) for k, v in parts.items()}
        pred = logits.argmax(1)
        wrong = pred[pred != y]  # sync: dynamic-shape
        print(step, line, wrong.shape)


if __name__ == "__main__":
    main()
