from dataclasses import dataclass
from typing import Optional

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class EncoderOutput:
    q_reps: Optional[Tensor] = None
    p_reps: Optional[Tensor] = None
    loss: Optional[Tensor] = None
    scores: Optional[Tensor] = None


class TextEncoder(nn.Module):
    def __init__(self, vocab_size, hidden, layers, heads, max_len=128):
        super().__init__()
        self.word = nn.Embedding(vocab_size, hidden, padding_idx=0)
        self.position = nn.Embedding(max_len, hidden)
        self.norm = nn.LayerNorm(hidden)
        layer = nn.TransformerEncoderLayer(hidden, heads, 4 * hidden, 0.1, activation="gelu", batch_first=True,
                                           norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)

    def forward(self, input_ids, attention_mask):
        pos = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.norm(self.word(input_ids) + self.position(pos))
        return self.layers(x, src_key_padding_mask=attention_mask == 0)


class DenseModel(nn.Module):
    def __init__(self, vocab_size, args):
        super().__init__()
        self.encoder = TextEncoder(vocab_size, args.hidden_size, args.num_layers, args.num_heads)
        self.pooling, self.normalize = args.pooling, args.normalize
        self.logit_scale = nn.Parameter(torch.tensor(1.0 / args.temperature).log(),
                                        requires_grad=args.learn_temperature)

    def encode(self, batch):
        h = self.encoder(**batch)
        if self.pooling == "cls":
            rep = h[:, 0]
        else:
            m = batch["attention_mask"].unsqueeze(-1).to(h.dtype)
            rep = (h * m).sum(1) / m.sum(1)
        return F.normalize(rep.float(), dim=-1) if self.normalize else rep.float()

    def gather(self, t):
        if not (dist.is_available() and dist.is_initialized()) or dist.get_world_size() == 1:
            return t
        out = [torch.empty_like(t) for _ in range(dist.get_world_size())]
        dist.all_gather(out, t.contiguous())
        if t.requires_grad:
            out[dist.get_rank()] = t
        return torch.cat(out, dim=0)

    def forward(self, query, passage, pids=None):
        q, p = self.encode(query), self.encode(passage)
        if self.training:
            q, p = self.gather(q), self.gather(p)
            if pids is not None:
                pids = self.gather(pids)
        scores = q @ p.t() * self.logit_scale.exp().clamp(max=100)
        n_per_q = p.size(0) // q.size(0)
        target = torch.arange(q.size(0), device=q.device) * n_per_q
        if pids is not None:
            # the same passage twice in a batch is not a negative
            same = pids[None, :] == pids[target][:, None]
            same[torch.arange(q.size(0), device=q.device), target] = False
            scores = scores.masked_fill(same, torch.finfo(scores.dtype).min)
        return EncoderOutput(q, p, F.cross_entropy(scores, target), scores)


class CrossEncoder(nn.Module):
    def __init__(self, vocab_size, args):
        super().__init__()
        self.encoder = TextEncoder(vocab_size, args.hidden_size, args.num_layers, args.num_heads)
        self.head = nn.Sequential(nn.Linear(args.hidden_size, args.hidden_size), nn.Tanh(), nn.Dropout(0.1),
                                  nn.Linear(args.hidden_size, 1))

    def forward(self, batch):
        return self.head(self.encoder(**batch)[:, 0]).squeeze(-1)
