import random

import torch
from torch.utils.data import Dataset


def _stripes(size, horizontal):
    period = random.choice([4, 8, 16])
    line = ((torch.arange(size) // period) % 2).float() * 2 - 1
    img = line.view(-1, 1).expand(size, size) if horizontal else line.view(1, -1).expand(size, size)
    color = torch.rand(3, 1, 1)
    return (img.unsqueeze(0) * color + 0.05 * torch.randn(3, size, size)).clamp(-1, 1)


class UnalignedDataset(Dataset):
    def __init__(self, opt):
        self.opt = opt
        self.A_size = opt.max_dataset_size
        self.B_size = opt.max_dataset_size - 3

    def __getitem__(self, index):
        A = _stripes(self.opt.crop_size, True)
        index_B = random.randint(0, self.B_size - 1)
        B = _stripes(self.opt.crop_size, False)
        return {'A': A, 'B': B, 'A_paths': 'trainA/%d.jpg' % index, 'B_paths': 'trainB/%d.jpg' % index_B}

    def __len__(self):
        return max(self.A_size, self.B_size)
