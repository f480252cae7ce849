import torch
from torch.utils.data import Dataset


class Images(Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, i):
        image = torch.rand(3, 32, 32)
        if image.mean() > 0.5:
            image = image.flip(-1)
        return {"image": image, "target": image.mean().item()}
