"""A vision transformer in float16 with a gradient scaler, which waits once a step by itself."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
batch, image, patch, width, heads, layers, classes = 64, 128, 8, 384, 6, 8, 100


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        size, count, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(size, count, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v)
        x = x + self.out(mixed.transpose(1, 2).reshape(size, count, width))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.place = nn.Parameter(torch.zeros(1, (image // patch) ** 2, width))
        self.blocks = nn.Sequential(*[Block() for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2) + self.place
        return self.head(self.norm(self.blocks(x)).mean(1))


model = ViT().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
scaler = torch.amp.GradScaler("cuda")
pinned = [(torch.randn(batch, 3, image, image).pin_memory(), torch.randint(0, classes, (batch,)).pin_memory())
          for _ in range(4)]
pageable = [torch.randn(batch, 3, image, image) for _ in range(4)]
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        images, labels = pinned[step % 4]
        images = images.to(device, non_blocking=True)  #- upload
        #+ upload: images = pageable[step % 4].to(device)
        labels = labels.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(images)
            loss = F.cross_entropy(out, labels)
        #+ item-forward: seen.append(loss.item())
        #+ finite: assert torch.isfinite(loss), "the loss is not finite"
        scaler.scale(loss).backward()
        #+ item-backward: seen.append(loss.item())
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        #+ item-norm: seen.append(norm.item())
        scaler.step(optimizer)  # syncl: allow the scaler must know whether gradients were finite
        scaler.update()
        #+ item-end: seen.append(loss.item())
        #+ scale: seen.append(scaler.get_scale())
        #+ print: print("loss", loss.detach())
        #+ hits: seen.append((out.argmax(1) == labels).sum().item())
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
