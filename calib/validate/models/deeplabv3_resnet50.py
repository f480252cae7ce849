"""DeepLabV3 on a ResNet-50 from torchvision, 8 pictures of 384, 21 classes a pixel."""
import torch
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
model = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=21).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
images = torch.randn(8, 3, 384, 384, device=device)
masks = torch.randint(0, 21, (8, 384, 384), device=device)
model.train()
for step in range(100):
    out = model(images)
    loss = F.cross_entropy(out["out"], masks)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
