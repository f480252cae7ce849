import torch
from torch.utils.data import DataLoader, Dataset

from backbone import SmallConv


class Prototypes(Dataset):
    """Noisy copies of random 16x16 prototypes. Returns augmented, label, not augmented as Mammoth does."""

    def __init__(self, protos, classes, per_class, train, seed):
        g = torch.Generator().manual_seed(seed)
        self.train = train
        xs, ys = [], []
        for c in classes:
            base = protos[c].unsqueeze(0).repeat(per_class, 1, 1, 1)
            gain = 0.6 + 0.8 * torch.rand(per_class, 1, 1, 1, generator=g)
            xs.append(base * gain + 0.9 * torch.randn(base.shape, generator=g))
            ys.append(torch.full((per_class,), c, dtype=torch.long))
        self.data, self.targets = torch.cat(xs), torch.cat(ys)

    def __len__(self):
        return len(self.data)

    @staticmethod
    def augment(x):
        dx, dy = torch.randint(-1, 2, (2,)).tolist()
        return torch.roll(x, shifts=(dx, dy), dims=(1, 2))

    def __getitem__(self, i):
        img, target = self.data[i], self.targets[i]
        if self.train:
            return self.augment(img), target, img
        return img, target


class SequentialBlobs:
    NAME = 'seq-blobs'
    SETTING = 'class-il'
    N_CLASSES_PER_TASK = 2
    N_TASKS = 4

    def __init__(self, args):
        self.args = args
        self.i = 0
        self.test_loaders = []
        self.train_loader = None
        g = torch.Generator().manual_seed(args.seed)
        n = self.N_CLASSES_PER_TASK * self.N_TASKS
        low = torch.randn(n, 3, 4, 4, generator=g)
        self.protos = torch.nn.functional.interpolate(low, size=16, mode='bilinear', align_corners=False)

    def get_data_loaders(self):
        classes = list(range(self.i, self.i + self.N_CLASSES_PER_TASK))
        train = Prototypes(self.protos, classes, self.args.per_class, True, seed=self.i)
        test = Prototypes(self.protos, classes, 60, False, seed=1000 + self.i)
        self.train_loader = DataLoader(train, batch_size=self.args.batch_size, shuffle=True, num_workers=0)
        test_loader = DataLoader(test, batch_size=self.args.batch_size, shuffle=False, num_workers=0)
        self.test_loaders.append(test_loader)
        self.i += self.N_CLASSES_PER_TASK
        return self.train_loader, test_loader

    def get_backbone(self):
        return SmallConv(3, self.N_CLASSES_PER_TASK * self.N_TASKS)
