import math

import torch
from torch import nn


class SinusoidalPositions(nn.Module):
    def __init__(self, d_model, max_len=512):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        pos = torch.arange(0, max_len).unsqueeze(1).float()
        div = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(pos * div)
        pe[:, 1::2] = torch.cos(pos * div)
        self.register_buffer("pe", pe.unsqueeze(0), persistent=False)

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


class AttentionPooling(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.score = nn.Linear(d_model, 1)

    def forward(self, h, pad_mask):
        s = self.score(h).squeeze(-1).masked_fill(pad_mask, float("-inf"))
        w = s.softmax(-1)
        return torch.einsum("bt,btd->bd", w, h)


class TextTransformer(nn.Module):
    def __init__(self, vocab_size, num_classes, d_model=64, nhead=4, num_layers=2, dim_ff=128, dropout=0.1,
                 pooling="attn", pad_id=0):
        super().__init__()
        self.pad_id = pad_id
        self.pooling = pooling
        self.emb = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.pos = SinusoidalPositions(d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, dim_ff, dropout, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)
        self.pool = AttentionPooling(d_model) if pooling == "attn" else None
        self.head = nn.Sequential(nn.LayerNorm(d_model), nn.Dropout(dropout), nn.Linear(d_model, num_classes))

    def forward(self, input_ids, lengths=None):
        if lengths is not None:
            pad_mask = torch.arange(input_ids.size(1), device=input_ids.device)[None, :] >= lengths[:, None]
        else:
            pad_mask = input_ids.eq(self.pad_id)
        h = self.pos(self.emb(input_ids) * math.sqrt(self.emb.embedding_dim))
        h = self.encoder(h, src_key_padding_mask=pad_mask)
        if self.pooling == "attn":
            pooled = self.pool(h, pad_mask)
        elif self.pooling == "mean":
            keep = (~pad_mask).unsqueeze(-1).float()
            pooled = (h * keep).sum(1) / keep.sum(1).clamp(min=1)
        else:
            pooled = h[:, 0]
        return self.head(pooled)
