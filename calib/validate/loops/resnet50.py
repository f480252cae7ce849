"""ResNet-50 on a larger batch: the GPU sets the pace."""
import torch
import torch.nn.functional as F
import torchvision

device = torch.device("cuda")
batch, classes = 64, 100
model = torchvision.models.resnet50(num_classes=classes).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)
pinned = [(torch.randn(batch, 3, 176, 176).pin_memory(), torch.randint(0, classes, (batch,)).pin_memory())
          for _ in range(4)]
pageable = [torch.randn(batch, 3, 176, 176) for _ in range(4)]
features = torch.randn(2048, 1024, device=device)
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        images, labels = pinned[step % 4]
        images = images.to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 4].to(device)
        labels = labels.to(device, non_blocking=True)
        optimizer.zero_grad()
        out = model(images)
        loss = F.cross_entropy(out, labels)
        #+ item-forward: seen.append(loss.item())
        #+ mask: positive = out.detach()[labels == 0].mean()
        #+ copy: kept = features.cpu()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        accuracy = (out.argmax(1) == labels).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ three: seen.append((loss.item(), accuracy.item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
