"""str(), repr(), !r and %s all print."""
import torch

device = torch.device("cuda")
weights = torch.randn(256, 256, device=device)
lines = []
for step in range(20):
    weights = torch.tanh(weights @ weights)
    score = weights.mean()
    lines.append(str(score))  # sync: print-tensor
    lines.append(repr(weights))  # sync: print-tensor
    lines.append(f"score {score!r}")  # sync: print-tensor
    lines.append("score %s" % score)  # sync: print-tensor
    lines.append(f"size {weights.shape} step {step!r}")
