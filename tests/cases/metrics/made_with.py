"""What a metric or a layer was made with decides whether it asks the GPU: names alone do not tell."""
import torch
import torch.nn as nn
import torchmetrics
from torchmetrics.classification import BinaryAccuracy, BinaryAUROC, MulticlassAccuracy
from torchmetrics.image import StructuralSimilarityIndexMeasure

dev = torch.device("cuda")
logits = torch.randn(64, 10, device=dev)
labels = torch.randint(0, 10, (64,), device=dev)
image = torch.rand(2, 3, 64, 64, device=dev)
probs, truth = torch.rand(64, device=dev), torch.randint(0, 2, (64,), device=dev)
macro = MulticlassAccuracy(10).to(dev)
micro = MulticlassAccuracy(10, average="micro").to(dev)
checked = BinaryAccuracy().to(dev)
trusting = BinaryAccuracy(validate_args=False).to(dev)
exact = BinaryAUROC().to(dev)
binned = BinaryAUROC(thresholds=20).to(dev)
free = StructuralSimilarityIndexMeasure().to(dev)
ranged = StructuralSimilarityIndexMeasure(data_range=1.0).to(dev)
nan_safe = torchmetrics.MeanMetric(nan_strategy="disable").to(dev)
cumulative = nn.BatchNorm2d(3, momentum=None).to(dev)
moving = nn.BatchNorm2d(3, momentum=0.01).to(dev)
for step in range(100):
    macro.update(logits, labels)  # sync: library-wait
    micro.update(logits, labels)
    checked.update(probs, truth)  # sync: library-wait
    trusting.update(probs, truth)
    binned.update(probs, truth)  # sync: library-wait
    area = binned.compute()
    slow = exact.compute()  # sync: library-wait
    free.update(image, image)  # sync: library-wait
    ranged.update(image, image)
    nan_safe.update(probs.mean())
    a = cumulative(image)  # sync: library-wait
    b = moving(image)
