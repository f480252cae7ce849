"""Non-maximum suppression waits; overlaps do not."""
import torch
import torchvision
import torchvision.transforms.functional as TF
from torchvision.utils import make_grid, save_image

device = torch.device("cuda")
model = torchvision.models.resnet18().to(device)
for step in range(100):
    images = torch.rand(4, 3, 64, 64, device=device)
    model(images).sum().backward()
    boxes = torch.rand(20, 4, device=device).cumsum(1)
    scores = torch.rand(20, device=device)
    overlap = torchvision.ops.box_iou(boxes, boxes)
    keep = torchvision.ops.nms(boxes, scores, 0.5)  # sync: library-wait
    keep = torchvision.ops.batched_nms(boxes, scores, scores.long(), 0.5)  # sync: library-wait
