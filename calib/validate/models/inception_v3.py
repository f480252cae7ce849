"""Inception v3 with its second head from torchvision, 32 pictures of 299."""
import torch
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
model = torchvision.models.inception_v3(weights=None, num_classes=100, init_weights=False).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
images = torch.randn(32, 3, 299, 299, device=device)
labels = torch.randint(0, 100, (32,), device=device)
model.train()
for step in range(100):
    out = model(images)
    loss = F.cross_entropy(out.logits, labels) + 0.4 * F.cross_entropy(out.aux_logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(step, loss.item())
