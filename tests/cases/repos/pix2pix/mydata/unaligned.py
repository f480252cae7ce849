import os
import random

import torchvision.transforms as transforms
from PIL import Image
from torch.utils.data import Dataset


class UnalignedDataset(Dataset):
    def __init__(self, opt):
        self.A_paths = sorted(os.listdir(opt.dataroot + '/A'))
        self.B_paths = sorted(os.listdir(opt.dataroot + '/B'))
        self.transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,))])

    def __getitem__(self, index):
        A = self.transform(Image.open(self.A_paths[index % len(self.A_paths)]))
        B = self.transform(Image.open(random.choice(self.B_paths)))
        return {'A': A, 'B': B, 'A_paths': self.A_paths[index], 'B_paths': ''}

    def __len__(self):
        return len(self.A_paths)
