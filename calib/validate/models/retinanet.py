"""RetinaNet from torchvision, eight pictures of 480 by 640 with six objects each."""
import torch
import torchvision

device = torch.device("cuda")
model = torchvision.models.detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None, num_classes=21).to(device)
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=1e-6, momentum=0.9)
images = [torch.rand(3, 480, 640, device=device) for _ in range(8)]
corners = torch.rand(8, 6, 2, device=device) * 300
boxes = torch.cat([corners, corners + 40 + 100 * torch.rand_like(corners)], dim=2)
targets = [{"boxes": boxes[i], "labels": torch.randint(0, 21, (6,), device=device)} for i in range(8)]
model.train()
for step in range(100):
    losses = model(images, targets)
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
