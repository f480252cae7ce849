import math

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, RandomSampler, SequentialSampler
from torchvision import transforms


def make_images(n, seed, size=32, num_classes=6):
    protos = np.random.RandomState(1234).rand(num_classes, 8, 8, 3)
    rng = np.random.RandomState(seed)
    y = rng.randint(0, num_classes, n)
    x = protos[y].repeat(size // 8, 1).repeat(size // 8, 2)
    x = (x + rng.randn(n, size, size, 3) * 0.2).clip(0, 1)
    return (x * 255).astype(np.uint8), y.astype(np.int64)


class TransformFixMatch(object):
    def __init__(self, mean, std, size=32):
        self.weak = transforms.Compose([
            transforms.RandomHorizontalFlip(),
            transforms.RandomCrop(size=size, padding=int(size * 0.125), padding_mode='reflect')])
        self.strong = transforms.Compose([
            transforms.RandomHorizontalFlip(),
            transforms.RandomCrop(size=size, padding=int(size * 0.125), padding_mode='reflect'),
            transforms.ColorJitter(0.4, 0.4, 0.4),
            transforms.RandomErasing(p=0.8, scale=(0.05, 0.2))])
        self.normalize = transforms.Normalize(mean=mean, std=std)

    def __call__(self, x):
        return self.normalize(self.weak(x)), self.normalize(self.strong(x))


class SSLDataset(Dataset):
    def __init__(self, data, targets, indexs=None, transform=None):
        self.data = data if indexs is None else data[indexs]
        self.targets = targets if indexs is None else targets[indexs]
        self.transform = transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        img = torch.from_numpy(self.data[index]).permute(2, 0, 1).float() / 255
        return self.transform(img), int(self.targets[index]), index


def x_u_split(labels, num_labeled, num_classes, expand_to):
    label_per_class = num_labeled // num_classes
    labeled_idx = []
    for i in range(num_classes):
        idx = np.where(labels == i)[0]
        labeled_idx.extend(np.random.choice(idx, label_per_class, False))
    labeled_idx = np.array(labeled_idx)
    if len(labeled_idx) < expand_to:
        labeled_idx = np.hstack([labeled_idx for _ in range(math.ceil(expand_to / len(labeled_idx)))])
    np.random.shuffle(labeled_idx)
    return labeled_idx, np.arange(len(labels))


def get_loaders(args):
    mean, std = (0.5, 0.5, 0.5), (0.25, 0.25, 0.25)
    x, y = make_images(480, 0)
    xt, yt = make_images(160, 1)
    lab, unlab = x_u_split(y, args.num_labeled, args.num_classes, args.batch_size * args.eval_step)
    tf_l = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.Normalize(mean, std)])
    labeled = SSLDataset(x, y, lab, tf_l)
    unlabeled = SSLDataset(x, y, unlab, TransformFixMatch(mean, std))
    test = SSLDataset(xt, yt, None, transforms.Normalize(mean, std))
    return (DataLoader(labeled, sampler=RandomSampler(labeled), batch_size=args.batch_size, drop_last=True),
            DataLoader(unlabeled, sampler=RandomSampler(unlabeled), batch_size=args.batch_size * args.mu, drop_last=True),
            DataLoader(test, sampler=SequentialSampler(test), batch_size=64), len(unlabeled))
