"""How large a batch of pictures is follows from the data set and from what transforms it."""
import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets, transforms
from torchvision import transforms as T
from torchvision.transforms import v2

dev = torch.device("cuda")
conv = torch.nn.Conv2d(3, 8, 3, padding=1).to(dev)
gray = torch.nn.Conv2d(1, 8, 3, padding=1).to(dev)


def known(root):
    plain = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    train = datasets.CIFAR10(root, train=True, download=True, transform=plain)
    for x, y in DataLoader(train, batch_size=128, pin_memory=True):
        conv(x.cuda(non_blocking=True))  # is: cuda float (128, 8, 32, 32)
        y.cuda(non_blocking=True) + 1  # is: cuda (128,)
    for x, y in DataLoader(datasets.MNIST(root, transform=transforms.ToTensor()), 64, pin_memory=True):
        gray(x.cuda(non_blocking=True))  # is: cuda float (64, 8, 28, 28)
    for x, y in DataLoader(datasets.STL10(root, "train", transform=T.Compose([T.Grayscale(), T.Pad(2), T.ToTensor()])), 16, pin_memory=True):
        gray(x.cuda(non_blocking=True))  # is: cuda float (16, 8, 100, 100)
    wide = T.Compose([T.ToTensor(), T.Resize((48, 80)), T.Normalize((0.5,), (0.5,))])
    for x, y in DataLoader(datasets.FashionMNIST(root, True, wide), 32, pin_memory=True):
        gray(x.cuda(non_blocking=True))  # is: cuda float (32, 8, 48, 80)
    for x, y in DataLoader(datasets.FakeData(1000, (3, 64, 96), transform=transforms.ToTensor()), 10, pin_memory=True):
        conv(x.cuda(non_blocking=True))  # is: cuda float (10, 8, 64, 96)


def folders(root, size=224):
    train = datasets.ImageFolder(root, T.Compose([T.RandomResizedCrop(size), T.ColorJitter(0.4), T.ToTensor(), T.RandomErasing(0.1)]))
    for x, y in DataLoader(train, 256, pin_memory=True):
        conv(x.cuda(non_blocking=True))  # is: cuda float (256, 8, 224, 224)
    val = datasets.ImageFolder(root, transform=T.Compose([T.Resize(256), T.CenterCrop(size), T.ToTensor()]))
    for x, y in DataLoader(val, 100, pin_memory=True):
        conv(x.cuda(non_blocking=True))  # is: cuda float (100, 8, 224, 224)
    new = v2.Compose([v2.ToImage(), v2.Resize((96, 96)), v2.ToDtype(torch.float32, scale=True)])
    for x, y in DataLoader(datasets.ImageFolder(root, new), 20, pin_memory=True):
        conv(x.cuda(non_blocking=True))  # is: cuda float (20, 8, 96, 96)
    shorter = T.Compose([T.Resize(256), T.ToTensor()])  # how long the other edge is nobody knows
    for x, y in DataLoader(datasets.ImageFolder(root, shorter), 20, pin_memory=True):
        conv(x.cuda(non_blocking=True)).mean() + 1  # is: cuda float scalar ()


class Pictures(Dataset):
    """Files of the user's own."""
    def __init__(self, paths, size):
        self.paths = paths
        self.transform = transforms.Compose([transforms.Resize((size, size)), transforms.ToTensor()])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        picture = Image.open(self.paths[i]).convert("RGB")
        mask = Image.open(self.paths[i]).convert("L").resize((96, 64))
        return {"image": self.transform(picture), "mask": torch.from_numpy(np.array(mask)).float(), "at": i}


def own(paths):
    for batch in DataLoader(Pictures(paths, 160), batch_size=8, pin_memory=True):
        conv(batch["image"].cuda(non_blocking=True))  # is: cuda float (8, 8, 160, 160)
        batch["mask"].cuda(non_blocking=True) + 1  # is: cuda (8, 64, 96)


known("data")
folders("data")
own(open("list").read().split())
