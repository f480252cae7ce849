"""unique, nonzero and masks of CPU tensors ask no GPU."""
import torch

labels = torch.randint(0, 4, (64,))
model = torch.nn.Linear(16, 4).cuda()
for step in range(100):
    classes = labels.unique()
    rows = (labels == step % 4).nonzero().flatten()
    counts = torch.bincount(labels, minlength=4)
    some = labels[labels > 1]
    onehot = torch.nn.functional.one_hot(labels)
    model(torch.randn(8, 16, device="cuda")).sum().backward()
    print(len(classes), rows.tolist(), counts[0].item(), some.numel(), onehot.shape)
