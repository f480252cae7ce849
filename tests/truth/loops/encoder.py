"""A transformer encoder over padded sentences: lengths and masks are read on the host."""
import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda")


class Tagger(nn.Module):
    def __init__(self, width=256, layers=4):
        super().__init__()
        self.embed = nn.Embedding(2000, width)
        layer = nn.TransformerEncoderLayer(width, 4, 4 * width, batch_first=True, norm_first=True)
        self.layers = nn.ModuleList([layer if i == 0 else nn.TransformerEncoderLayer(width, 4, 4 * width, batch_first=True, norm_first=True) for i in range(layers)])
        self.head = nn.Linear(width, 12)

    def forward(self, tokens, pad):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=pad)
        return self.head(x)


def main():
    torch.manual_seed(0)
    model = Tagger().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    tokens = torch.randint(0, 2000, (32, 64), device=device)
    tags = torch.randint(0, 12, (32, 64), device=device)
    lengths = torch.randint(20, 64, (32,), device=device)
    total, right = 0.0, 0.0
    for step in range(10000000):
        longest = lengths.max().item()
        pad = torch.arange(64, device=device)[None] >= lengths[:, None]
        logits = model(tokens, pad)
        loss = F.cross_entropy(logits[~pad], tags[~pad])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        hits = ((logits.argmax(-1) == tags) & ~pad).sum()
        right += hits.item()
    return total, right, longest


if __name__ == "__main__":
    main()
