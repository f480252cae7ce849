"""A vision transformer that is bfloat16 throughout, with images normalised on the GPU."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device, kind = torch.device("cuda"), torch.bfloat16
batch, side, patch, width, layers, classes = 128, 224, 16, 512, 10, 1000


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        at = self.norm1(x)
        x = x + self.attention(at, at, at, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class Vision(nn.Module):
    def __init__(self, width, layers, heads):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, stride=patch)
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.place = nn.Parameter(torch.zeros(1, (side // patch) ** 2 + 1, width))
        stages = []
        for _ in range(layers):
            stages += [Layer(width, heads)]
        self.layers = nn.Sequential(*stages)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.first.expand(x.shape[0], -1, -1), x], dim=1) + self.place
        return self.head(self.norm(self.layers(x))[:, 0])


model = Vision(width, layers, 8).to(device, kind)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=0.05)
mean = torch.tensor([0.485, 0.456, 0.406], device=device).view(1, 3, 1, 1)
pageable = [torch.randint(0, 256, (batch, 3, side, side), dtype=torch.uint8) for _ in range(4)]
pinned = [images.pin_memory() for images in pageable]
answers = [torch.randint(0, classes, (batch,)).to(device) for _ in range(4)]
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        images = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 4].to(device)
        images = ((images / 255 - mean) / 0.22).to(kind)
        labels = answers[step % 4]
        out = model(images)
        loss = F.cross_entropy(out.float(), labels)
        #+ item-forward: seen.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        #+ norm: seen.append(nn.utils.clip_grad_norm_(model.parameters(), 10.0).item())
        optimizer.step()
        top5 = (out.topk(5, 1)[1] == labels[:, None]).any(1)
        #+ item-end: seen.append(loss.item())
        #+ hits: seen.append(top5.sum().item())
        #+ wrong: wrong = images[~top5]
        #+ numpy: last = out.detach().float().cpu().numpy()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
