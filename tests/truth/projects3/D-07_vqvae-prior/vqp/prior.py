import torch
import torch.nn.functional as F
from torch import nn


class CodePrior(nn.Module):
    """Class-conditional causal transformer over the flattened grid of code indices.

    The class token takes the place of BOS; it is dropped at random in training so that
    classifier-free guidance is possible at sampling time.
    """

    def __init__(self, n_codes, n_classes, side, dim=128, heads=4, layers=3, p_uncond=0.1):
        super().__init__()
        self.n_codes, self.side, self.length = n_codes, side, side * side
        self.n_classes, self.p_uncond = n_classes, p_uncond
        self.tok = nn.Embedding(n_codes, dim)
        self.cls = nn.Embedding(n_classes + 1, dim)
        self.row = nn.Parameter(torch.randn(side, 1, dim) * 0.02)
        self.col = nn.Parameter(torch.randn(1, side, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(
            dim, heads, 4 * dim, dropout=0.1, activation="gelu", batch_first=True, norm_first=True
        )
        self.body = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(dim), enable_nested_tensor=False)
        self.out = nn.Linear(dim, n_codes)

    def forward(self, seq, label):
        """seq: (B, T) codes, T <= length. Returns logits for positions 0..min(T, length - 1)."""
        if self.training:
            drop = torch.rand(label.shape, device=label.device) < self.p_uncond
            label = label.masked_fill(drop, self.n_classes)
        x = torch.cat([self.cls(label)[:, None], self.tok(seq)], dim=1)[:, : self.length]
        pos = (self.row + self.col).reshape(self.length, -1)
        x = x + pos[: x.size(1)]
        mask = torch.ones(x.size(1), x.size(1), dtype=torch.bool, device=x.device).triu(1)
        return self.out(self.body(x, mask=mask, is_causal=True))

    def loss(self, logits, seq):
        return F.cross_entropy(logits.float().flatten(0, 1), seq.flatten())

    @torch.no_grad()
    def sample(self, label, temperature=1.0, guidance=1.5, top_k=32):
        self.eval()
        n = len(label)
        seq = torch.empty(n, 0, dtype=torch.long, device=label.device)
        uncond = torch.full_like(label, self.n_classes)
        for _ in range(self.length):
            logits = self(seq.repeat(2, 1), torch.cat([label, uncond]))[:, -1].float()
            c, u = logits.chunk(2)
            logits = (u + guidance * (c - u)) / temperature
            kth = logits.topk(min(top_k, self.n_codes), dim=-1).values[:, -1:]
            logits = logits.masked_fill(logits < kth, -torch.inf)
            seq = torch.cat([seq, torch.multinomial(logits.softmax(-1), 1)], dim=1)
        return seq.view(n, self.side, self.side)
