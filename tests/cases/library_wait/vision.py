"""Calls of torchvision that wait inside."""
import torch
import torchvision
from torchvision.ops import box_iou, nms
from torchvision.utils import make_grid, save_image

device = torch.device("cuda")
backbone = torch.nn.Conv2d(3, 8, 3, padding=1).to(device)
with torch.no_grad():
    for i in range(100):
        images = torch.rand(4, 3, 64, 64, device=device)
        feats = backbone(images)
        boxes = torch.rand(100, 4, device=device)
        boxes = torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], dim=1)
        scores = feats.flatten()[:100].sigmoid()
        keep = nms(boxes, scores, 0.5)  # sync: library-wait
        iou = box_iou(boxes, boxes)
        grid = make_grid(images)
        save_image(images, f"out/{i}.png")  # sync: library-wait
        if i % 10 == 0:
            torchvision.utils.save_image(grid, "grid.png")  # sync: library-wait note
