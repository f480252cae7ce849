"""A wide GPT in TF32 with tied weights and a learning rate of its own."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.backends.cuda.matmul.allow_tf32 = True
device = torch.device("cuda")
batch, length, words, width, heads, layers = 12, 512, 16000, 1024, 16, 10


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)

    def forward(self, x):
        size, time, _ = x.shape
        q = self.query(x).view(size, time, heads, width // heads).transpose(1, 2)
        k = self.key(x).view(size, time, heads, width // heads).transpose(1, 2)
        v = self.value(x).view(size, time, heads, width // heads).transpose(1, 2)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(size, time, width))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention()
        self.up, self.gate, self.down = nn.Linear(width, 2048), nn.Linear(width, 2048), nn.Linear(2048, width)

    def forward(self, x):
        x = x + self.attention(self.before(x))
        x_in = self.between(x)
        return x + self.down(F.silu(self.gate(x_in)) * self.up(x_in))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.token, self.place = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.token.weight

    def forward(self, tokens):
        x = self.token(tokens) + self.place(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


model = GPT().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, betas=(0.9, 0.95), weight_decay=0.1)
texts = [torch.randint(0, words, (batch, length + 1)) for _ in range(8)]
pinned = [text.pin_memory() for text in texts]
smooth = torch.zeros((), device=device)
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        text = pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: text = texts[step % 8].to(device)
        for group in optimizer.param_groups:
            group["lr"] = 1e-5 * 0.5 * (1 + math.cos(math.pi * (step % 1000) / 1000))
        logits = model(text[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, words), text[:, 1:].reshape(-1))
        #+ item-forward: seen.append(loss.item())
        #+ stop: if not math.isfinite(loss): break
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        smooth.mul_(0.99).add_(loss.detach(), alpha=0.01)
        #+ item-end: seen.append(smooth.item())
        #+ three: seen.append((loss.item(), smooth.item(), loss.exp().item()))
        #+ print: print(f"{step}: {loss:.3f}")
        #+ copy: last = logits[:, -1].detach().cpu()
        #+ synchronize: torch.cuda.synchronize()
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
