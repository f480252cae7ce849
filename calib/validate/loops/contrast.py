"""Pictures and sentences drawn together: two encoders, one similarity matrix."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_float32_matmul_precision("high")
device = torch.device("cuda")
batch, side, length, words, width = 256, 64, 32, 8192, 256


def conv(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, 2, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Pictures(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(3, 64), conv(64, 128), conv(128, 256), conv(256, 512))
        self.head = nn.Linear(512, width)

    def forward(self, x):
        return self.head(self.body(x).mean((2, 3)))


class Sentences(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.place = nn.Parameter(torch.zeros(length, width))
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
        self.head = nn.Linear(width, width)

    def forward(self, tokens):
        return self.head(self.body(self.words(tokens) + self.place).mean(1))


pictures, sentences = Pictures().to(device), Sentences().to(device)
warmth = nn.Parameter(torch.zeros((), device=device))
parameters = [*pictures.parameters(), *sentences.parameters(), warmth]
optimizer = torch.optim.AdamW(parameters, lr=1e-5)
pinned = [(torch.rand(batch, 3, side, side).pin_memory(), torch.randint(0, words, (batch, length)).pin_memory())
          for _ in range(8)]
pageable = [torch.randint(0, words, (batch, length)) for _ in range(8)]
answers = torch.arange(batch, device=device)
seen = []


def train(steps):
    pictures.train(), sentences.train()
    for step in range(steps):
        images, tokens = pinned[step % 8]
        images = images.to(device, non_blocking=True)
        tokens = tokens.to(device, non_blocking=True)  #- upload
        #+ upload: tokens = pageable[step % 8].to(device)
        optimizer.zero_grad(set_to_none=True)
        a = F.normalize(pictures(images), dim=1)
        b = F.normalize(sentences(tokens), dim=1)
        alike = warmth.exp() * a @ b.T
        loss = (F.cross_entropy(alike, answers) + F.cross_entropy(alike.T, answers)) / 2
        #+ item-forward: seen.append(loss.item())
        #+ branch: if loss > 100: continue
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        warmth.data.clamp_(0, 4.6)
        right = (alike.argmax(1) == answers).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ warm: seen.append(f"{warmth.exp():.3f}")
        #+ hard: hard = (alike.detach().diagonal() < 0).nonzero()
        #+ three: seen.append((loss.item(), right.item(), warmth.item()))
        #+ matrix: last = alike.detach().cpu()
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
