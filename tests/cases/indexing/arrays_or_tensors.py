"""What takes arrays or tensors takes both of one kind: an array is not indexed by the GPU's tensor."""
import numpy as np
import torch

device = torch.device("cuda")


def neighbours(query, k):
    if isinstance(query, np.ndarray):
        return np.argsort(query)[:k]
    return query.argsort()[:k]


def accuracy(query, labels, k):
    nearest = neighbours(query, k)
    found = labels[nearest]
    return (found == labels[:k]).sum()


def evaluate(steps):
    scores = np.arange(100.0)
    for step in range(steps):
        accuracy(torch.rand(100, device=device), torch.randint(0, 9, (100,), device=device), 5)
        accuracy(scores, np.zeros(100), 5)
        np.arange(9)[torch.ones((), dtype=torch.long, device=device)]  # sync: host-read


evaluate(10)
