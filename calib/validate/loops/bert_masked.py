"""Masked words of long sentences in bfloat16: an encoder of nn.TransformerEncoder under autocast."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
batch, length, words, width, heads, layers = 64, 256, 16384, 768, 12, 8


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.place = nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, dropout=0.1, activation="gelu", batch_first=True)
        self.body = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        places = torch.arange(length, device=tokens.device)
        return self.head(self.body(self.words(tokens) + self.place(places)))


model = Encoder().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
pinned = [torch.randint(1, words, (batch, length)).pin_memory() for _ in range(8)]
pageable = [torch.randint(1, words, (batch, length)) for _ in range(8)]
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        tokens = pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: tokens = pageable[step % 8].to(device)
        hidden = torch.rand(batch, length, device=device) < 0.15
        shown = tokens.masked_fill(hidden, 0)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(shown)
            loss = F.cross_entropy(logits.view(-1, words), tokens.view(-1))  #- mask
            #+ mask: loss = F.cross_entropy(logits[hidden], tokens[hidden])
        #+ item-forward: seen.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        #+ norm: if norm > 1000: print("large gradient")
        optimizer.step()
        #+ item-end: seen.append(loss.item())
        #+ hits: seen.append(((logits.argmax(2) == tokens) & hidden).sum().item())
        #+ predictions: last = logits.argmax(2).cpu()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
