"""timm: meters given numbers that were read, and what stays on the GPU."""
import timm
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.utils import AverageMeter, accuracy

model = timm.create_model("resnet18").cuda()
criterion = LabelSmoothingCrossEntropy()
meter = AverageMeter()
for step in range(100):
    x = torch.randn(8, 3, 64, 64, device="cuda")
    y = torch.randint(0, 1000, (8,), device="cuda")
    out = model(x)
    loss = criterion(out, y)
    loss.backward()
    top1, top5 = accuracy(out, y, topk=(1, 5))
    meter.update(loss.item(), x.size(0))  # sync: host-read
    print(f"{top1:.2f}")  # sync: host-read
