import json

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class MapDataset(Dataset):
    def __init__(self, file):
        with open(file) as f:
            self.dicts = json.load(f)

    def __len__(self):
        return len(self.dicts)

    def __getitem__(self, idx):
        d = self.dicts[idx]
        image = np.asarray(Image.open(d["file_name"]).convert("RGB"))
        boxes = torch.as_tensor(d["boxes"], dtype=torch.float32)
        keep = boxes[:, 2] > boxes[:, 0]
        boxes = boxes[keep]
        if boxes.sum() == 0:
            boxes = torch.zeros((0, 4))
        return {"image": torch.as_tensor(image.transpose(2, 0, 1).copy()).float(), "gt_boxes": boxes}


def trivial_batch_collator(batch):
    return batch


def build_detection_train_loader(cfg):
    return DataLoader(MapDataset("train.json"), batch_size=16, num_workers=4, collate_fn=trivial_batch_collator)


def build_detection_test_loader(cfg):
    return DataLoader(MapDataset("val.json"), batch_size=1, num_workers=4, collate_fn=trivial_batch_collator)
