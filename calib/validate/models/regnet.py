"""RegNet X 3.2 GF from torchvision, 64 pictures of 224, bfloat16 autocast."""
import torch
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
model = torchvision.models.regnet_x_3_2gf(weights=None, num_classes=100).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
images = torch.randn(64, 3, 224, 224, device=device)
labels = torch.randint(0, 100, (64,), device=device)
model.train()
for step in range(100):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
