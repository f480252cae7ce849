"""GoogLeNet with its two more heads from torchvision, 64 pictures of 224."""
import torch
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
model = torchvision.models.googlenet(weights=None, num_classes=100, init_weights=False).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
images = torch.randn(64, 3, 224, 224, device=device)
labels = torch.randint(0, 100, (64,), device=device)
model.train()
for step in range(100):
    out = model(images)
    loss = F.cross_entropy(out.logits, labels) + 0.3 * (F.cross_entropy(out.aux_logits1, labels) + F.cross_entropy(out.aux_logits2, labels))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
