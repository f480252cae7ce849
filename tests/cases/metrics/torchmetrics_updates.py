"""Metrics that check their input on the host, and metrics that do not."""
import torch
import torch.nn.functional as F
import torchmetrics

device = torch.device("cuda")
model = torch.nn.Linear(16, 4).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
mean = torchmetrics.MeanMetric().to(device)
confusion = torchmetrics.classification.MulticlassConfusionMatrix(4).to(device)
macro = torchmetrics.classification.MulticlassAccuracy(4).to(device)
accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=4).to(device)
error = torchmetrics.MeanSquaredError().to(device)

for step in range(100):
    x = torch.randn(8, 16, device=device)
    y = torch.randint(0, 4, (8,), device=device)
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    mean.update(loss.detach())  # sync: library-wait
    confusion.update(model(x), y)  # sync: library-wait
    macro.update(model(x), y)  # sync: library-wait
    accuracy.update(model(x), y)
    error.update(x, x * 2)
