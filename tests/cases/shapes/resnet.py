"""A model of a library: its shapes and parameters are as its own code makes them."""
import torch
import torchvision

model = torchvision.models.resnet18(num_classes=10).cuda()
images = torch.randn(8, 3, 64, 64, device="cuda")
for step in range(10):
    out = model(images)
    best = out + 1  # is: cuda float (8, 10)
    print(best)  # sync: print-tensor
