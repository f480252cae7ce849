"""Overlaps, areas and pooled regions."""
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
    overlap = torchvision.ops.box_iou(boxes, boxes)
    area = torchvision.ops.box_area(boxes)
    best = overlap.fill_diagonal_(0).max(dim=1).values
    pooled = torchvision.ops.roi_align(images, [boxes[:5]] * 4, (7, 7))
