"""The same transforms in a dataset run in workers, on the CPU."""
import torch
import torchvision
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

class Photos(Dataset):
    def __init__(self):
        self.images = torch.rand(64, 3, 32, 32)
        self.transform = transforms.Compose([transforms.RandomErasing(), transforms.Normalize([0.5] * 3, [0.5] * 3)])

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.transform(self.images[index])
        return image, int(image.mean().item() > 0)


model = torchvision.models.resnet18().cuda()
for images, labels in DataLoader(Photos(), batch_size=4, pin_memory=True, num_workers=2):
    images = images.cuda(non_blocking=True)
    labels = labels.cuda(non_blocking=True)
    torch.nn.functional.cross_entropy(model(images), labels).backward()
