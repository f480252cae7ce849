"""MNASNet from torchvision, 128 pictures of 224."""
import torch
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
model = torchvision.models.mnasnet1_0(weights=None, num_classes=100).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
images = torch.randn(128, 3, 224, 224, device=device)
labels = torch.randint(0, 100, (128,), device=device)
model.train()
for step in range(100):
    loss = F.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
