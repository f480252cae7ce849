"""unique, bincount, one_hot, repeat_interleave and their quiet relatives."""
import torch
import torch.nn.functional as F

device = torch.device("cuda")
labels = torch.randint(0, 10, (4096,), device=device)
repeats = torch.randint(1, 4, (4096,), device=device)
table = torch.zeros(10, device=device)
ones = torch.ones(4096, device=device)
for step in range(50):
    labels = (labels * 7 + 3) % 10
    classes = torch.unique(labels)  # sync: dynamic-shape
    values, counts = labels.unique(return_counts=True)  # sync: dynamic-shape
    hist = torch.bincount(labels, minlength=10)  # sync: dynamic-shape
    hot = F.one_hot(labels)  # sync: dynamic-shape
    wide = labels.repeat_interleave(repeats)  # sync: dynamic-shape
    hot10 = F.one_hot(labels, num_classes=10)
    twice = labels.repeat_interleave(2)
    table = table.scatter_add(0, labels, ones)
    top = table.topk(3).indices
    print(classes.shape, values.shape, counts.shape, hist.shape, hot.shape, wide.shape, hot10.shape, twice.shape, top.shape)
