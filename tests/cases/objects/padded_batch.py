"""A padded batch with its mask: made of CPU tensors by the collate function, now and then of GPU ones by the model itself;
its `to` is what copies."""
from typing import List, Optional

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader


class NestedTensor:
    def __init__(self, tensors, mask: Optional[Tensor]):
        self.tensors = tensors
        self.mask = mask

    def to(self, device):
        tensors = self.tensors.to(device)  # sync: copy-to-device
        mask = self.mask
        mask = mask.to(device) if mask is not None else None  # sync: copy-to-device
        return NestedTensor(tensors, mask)

    def decompose(self):
        return self.tensors, self.mask


def nested(images: List[Tensor]):
    shape = [len(images)] + [max(sizes) for sizes in zip(*[image.shape for image in images])]
    tensor = torch.zeros(shape, dtype=images[0].dtype, device=images[0].device)
    mask = torch.ones((shape[0], *shape[2:]), dtype=torch.bool, device=images[0].device)
    for image, padded, hidden in zip(images, tensor, mask):
        padded[: image.shape[0], : image.shape[1], : image.shape[2]].copy_(image)
        hidden[: image.shape[1], : image.shape[2]] = False
    return NestedTensor(tensor, mask)


def collate(batch):
    batch = list(zip(*batch))
    batch[0] = nested(batch[0])
    return tuple(batch)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, samples: NestedTensor):
        if isinstance(samples, (list, torch.Tensor)):  # it is padded already
            samples = nested([sample[:, : int(sample.sum())] for sample in samples])
        images, mask = samples.decompose()
        return self.backbone(images).masked_fill(mask[:, None], 0.0)


def train_one_epoch(model: nn.Module, loader, optimizer, device: torch.device):
    for samples, targets in loader:
        samples = samples.to(device)
        loss = model(samples).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(dataset, epochs):
    device = torch.device("cuda")
    model = Detector().to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    loader = DataLoader(dataset, 2, collate_fn=collate, num_workers=2)
    for _ in range(epochs):
        train_one_epoch(model, loader, optimizer, device)


if __name__ == "__main__":
    from images import build_dataset

    main(build_dataset(), 10)
