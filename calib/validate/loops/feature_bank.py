"""Features of a small network that are kept on the CPU: a copy of known size in each step of some changes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
batch, side, width, kept = 512, 32, 2048, 16


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 64, 3, padding=1), nn.Conv2d(64, 128, 3, stride=2, padding=1)
        self.conv3, self.conv4 = nn.Conv2d(128, 128, 3, padding=1), nn.Conv2d(128, 256, 3, stride=2, padding=1)
        self.norm1, self.norm2 = nn.BatchNorm2d(128), nn.BatchNorm2d(256)
        self.fc = nn.Linear(256 * 8 * 8, width)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = F.relu(self.norm1(self.conv2(F.relu(self.conv1(x)))))
        x = F.relu(self.norm2(self.conv4(F.relu(self.conv3(x)))))
        features = self.fc(x.flatten(1))
        return features, self.head(F.relu(features))


model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, nesterov=True)
bank = torch.zeros(kept, batch, width)
pinned = [(torch.randn(batch, 3, side, side).pin_memory(), torch.randint(0, 10, (batch,)).pin_memory())
          for _ in range(8)]
pageable = [torch.randn(batch, 3, side, side) for _ in range(8)]
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        images, labels = pinned[step % 8]
        images = images.to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 8].to(device)
        labels = labels.to(device, non_blocking=True)
        features, out = model(images)
        loss = F.cross_entropy(out, labels)
        #+ item-forward: seen.append(loss.item())
        #+ keep-forward: bank[step % kept] = features.detach().cpu()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        #+ keep-end: bank[step % kept] = features.detach().cpu()
        #+ item-end: seen.append(loss.item())
        #+ logits: last = out.detach().cpu()
        #+ half: last = features.detach().half().cpu()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: bank[step % kept] = features.detach().cpu()


if __name__ == "__main__":
    train(1000)
