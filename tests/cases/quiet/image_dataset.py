"""A detection dataset with augmentation and collate function: all of it runs on the CPU, in workers."""
import json
import random
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler


class RandomFlip:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, image, boxes):
        if torch.rand(1).item() < self.p:
            image = image.flip(-1)
            width = image.shape[-1]
            if boxes.numel() > 0:
                boxes = boxes[:, [2, 1, 0, 3]]
                boxes[:, 0] = width - boxes[:, 0]
                boxes[:, 2] = width - boxes[:, 2]
        return image, boxes


class RandomCrop:
    def __init__(self, size):
        self.size = size

    def __call__(self, image, boxes):
        _, h, w = image.shape
        top = int(torch.randint(0, max(h - self.size, 1), (1,)))
        left = int(torch.randint(0, max(w - self.size, 1), (1,)))
        image = image[:, top : top + self.size, left : left + self.size]
        boxes = boxes - torch.tensor([left, top, left, top], dtype=boxes.dtype)
        boxes = boxes.clamp(min=0, max=self.size)
        keep = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
        if not keep.any():
            return image, boxes[:0]
        return image, boxes[keep]


class Detection(Dataset):
    def __init__(self, root, split, transforms=()):
        self.root = Path(root)
        self.items = json.loads((self.root / f"{split}.json").read_text())
        self.transforms = transforms
        areas = torch.tensor([item["area"] for item in self.items], dtype=torch.float32)
        self.mean_area = areas.mean().item()
        self.weights = (areas / areas.sum()).tolist()

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        item = self.items[index]
        array = np.asarray(Image.open(self.root / item["file"]).convert("RGB"))
        image = torch.from_numpy(array.copy()).permute(2, 0, 1).float() / 255
        boxes = torch.tensor(item["boxes"], dtype=torch.float32).reshape(-1, 4)
        for transform in self.transforms:
            image, boxes = transform(image, boxes)
        if image.isnan().any():
            return self[random.randrange(len(self))]
        crowd = (boxes[:, 2] - boxes[:, 0]) > 512
        return image, {"boxes": boxes, "labels": torch.ones(len(boxes), dtype=torch.long), "crowd": bool(crowd.any())}


def collate(batch):
    images, targets = zip(*batch)
    height = max(int(image.shape[1]) for image in images)
    width = max(int(image.shape[2]) for image in images)
    padded = torch.zeros(len(images), 3, height, width)
    for i, image in enumerate(images):
        padded[i, :, : image.shape[1], : image.shape[2]] = image
    counts = torch.tensor([len(t["boxes"]) for t in targets])
    if counts.sum() == 0:
        return None
    index = torch.repeat_interleave(torch.arange(len(targets)), counts)
    return padded, torch.cat([t["boxes"] for t in targets]), index


def loaders(root, batch_size):
    train = Detection(root, "train", (RandomFlip(), RandomCrop(512)))
    sampler = WeightedRandomSampler(train.weights, len(train))
    print("mean area", train.mean_area, "largest weight", max(train.weights))
    return DataLoader(train, batch_size, sampler=sampler, collate_fn=collate, num_workers=8, pin_memory=True)
