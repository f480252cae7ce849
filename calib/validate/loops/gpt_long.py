"""A GPT at a large batch: the GPU sets the pace."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_float32_matmul_precision("high")
device = torch.device("cuda")
batch, length, width, heads, layers, words = 64, 256, 512, 8, 6, 8192


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        size, time, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        q, k, v = (t.view(size, time, heads, -1).transpose(1, 2) for t in (q, k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(size, time, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Embedding(words, width)
        self.place = nn.Parameter(torch.zeros(length, width))
        self.blocks = nn.ModuleList([Block() for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        x = self.token(tokens) + self.place
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


model = GPT().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
pinned = [torch.randint(0, words, (batch, length + 1)).pin_memory() for _ in range(8)]
pageable = [torch.randint(0, words, (batch, length + 1)) for _ in range(8)]
features = torch.randn(2048, 1024, device=device)
seen = []


def train(steps):
    for step in range(steps):
        tokens = pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: tokens = pageable[step % 8].to(device)
        targets = tokens[:, 1:].reshape(-1)
        logits = model(tokens[:, :-1]).view(-1, words)
        loss = F.cross_entropy(logits, targets)
        #+ item-forward: seen.append(loss.item())
        #+ mask: rare = logits.detach()[:, 0][targets < 100].mean()
        #+ copy: kept = features.cpu()
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ three: seen.append((loss.item(), norm.item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
