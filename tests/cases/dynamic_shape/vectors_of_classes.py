"""What unique(), flatten(), bincount() and a mask give has one dimension, so a turn of a loop over it has none, and an
index by that reads it."""
import torch

device = torch.device("cuda")
for step in range(1000):
    labels = torch.randint(0, 10, (8, 64), device=device)
    probs = torch.rand(8, 10, 64, device=device)
    centres = torch.zeros(10, 4, device=device)
    loss = torch.zeros((), device=device)
    for c in labels.unique():  # sync: dynamic-shape
        present = (labels == c).float()
        loss = loss + (probs[:, c] * present).sum()  # sync: host-read
    ids, counts = torch.unique(labels, return_counts=True)  # sync: dynamic-shape
    for i, n in zip(ids, counts):
        if n < 5:  # sync: tensor-truth
            continue
        centres[i] += 1.0  # sync: host-read
    order = labels.flatten().argsort()
    flat = labels.view(-1)
    first = probs[0, :, flat[0]]  # sync: host-read
    kept = flat[:5] * 2
    rows = labels.unique(dim=0)  # sync: dynamic-shape
    for row in rows:
        taken = probs[0, row]
