"""A gradient that explains a prediction after each epoch makes no training step of the loop over epochs."""
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Conv2d(3, 3, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(2, 3, 8, 8, device=device) for _ in range(9)]


def saliency(image):
    image = image.clone().requires_grad_()
    model(image).sum().backward()
    return image.grad.abs().amax(1)


for epoch in range(90):
    for batch in batches:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()
    shown = saliency(batches[0])
    print(epoch, shown.mean().item())  # sync: host-read note
    optimizer.zero_grad()

# a step whose discriminator is trained several times is still a step
critic = nn.Conv2d(3, 3, 3).to(device)
slow = torch.optim.SGD(critic.parameters(), lr=0.1)
for batch in batches:
    for _ in range(5):
        slow.zero_grad()
        critic(batch).sum().backward()
        slow.step()
    optimizer.zero_grad()
    loss = critic(model(batch)).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())  # sync: host-read
