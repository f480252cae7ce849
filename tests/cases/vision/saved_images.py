"""Images saved, shown and normalised with Python lists."""
import torch
import torchvision
import torchvision.transforms.functional as TF
from torchvision.utils import make_grid, save_image

device = torch.device("cuda")
model = torchvision.models.resnet18().to(device)
for step in range(100):
    images = torch.rand(4, 3, 64, 64, device=device)
    model(images).sum().backward()
    save_image(images[0], "x.png")  # sync: library-wait
    picture = TF.to_pil_image(images[0])  # sync: library-wait
    normed = TF.normalize(images, [0.5] * 3, [0.5] * 3)  # sync: library-wait
    grid = make_grid(images, normalize=True)  # sync: library-wait
