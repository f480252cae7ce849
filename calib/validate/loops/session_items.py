# %% What a customer looks at next: self-attention over the items of a session, one negative item for each, Adagrad on the items.
import torch
from torch import nn
from torch.nn import functional as F

num_items, max_len, hidden_units, num_blocks, num_heads = 40_000, 100, 128, 3, 2
batch_size, dropout_rate = 256, 0.2
dev = "cuda"


# %%
class PointWiseFeedForward(nn.Module):
    def __init__(self, units, rate):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(units, units, kernel_size=1), nn.Conv1d(units, units, kernel_size=1)
        self.dropout1, self.dropout2 = nn.Dropout(rate), nn.Dropout(rate)

    def forward(self, inputs):
        outputs = self.dropout2(self.conv2(torch.relu(self.dropout1(self.conv1(inputs.transpose(-1, -2))))))
        return inputs + outputs.transpose(-1, -2)


class SASRec(nn.Module):
    def __init__(self):
        super().__init__()
        self.item_emb = nn.Embedding(num_items + 1, hidden_units, padding_idx=0)
        self.pos_emb = nn.Embedding(max_len, hidden_units)
        self.emb_dropout = nn.Dropout(dropout_rate)
        self.attention_norms = nn.ModuleList()
        self.attentions = nn.ModuleList()
        self.forward_norms = nn.ModuleList()
        self.forwards = nn.ModuleList()
        for _ in range(num_blocks):
            self.attention_norms.append(nn.LayerNorm(hidden_units, eps=1e-8))
            self.attentions.append(nn.MultiheadAttention(hidden_units, num_heads, dropout_rate, batch_first=True))
            self.forward_norms.append(nn.LayerNorm(hidden_units, eps=1e-8))
            self.forwards.append(PointWiseFeedForward(hidden_units, dropout_rate))
        self.last_norm = nn.LayerNorm(hidden_units, eps=1e-8)
        self.register_buffer("positions", torch.arange(max_len))
        self.register_buffer("causal", torch.triu(torch.ones(max_len, max_len, dtype=torch.bool), diagonal=1))

    def forward(self, sequences, positives, negatives):
        seqs = self.item_emb(sequences) * hidden_units ** 0.5 + self.pos_emb(self.positions)
        seqs = self.emb_dropout(seqs)
        timeline = (sequences != 0).unsqueeze(-1)
        seqs = seqs * timeline
        for i in range(num_blocks):
            queries = self.attention_norms[i](seqs)
            attended, _ = self.attentions[i](queries, seqs, seqs, attn_mask=self.causal, need_weights=False)
            seqs = self.forwards[i](self.forward_norms[i](queries + attended))
            seqs = seqs * timeline
        features = self.last_norm(seqs)
        return (features * self.item_emb(positives)).sum(-1), (features * self.item_emb(negatives)).sum(-1)


# %%
torch.manual_seed(42)
model = SASRec().to(dev)
item_optimizer = torch.optim.Adagrad(model.item_emb.parameters(), lr=1e-4)
optimizer = torch.optim.Adam([p for name, p in model.named_parameters() if not name.startswith("item_emb")], lr=1e-5, betas=(0.9, 0.98))


def session_batch():
    items = torch.randint(1, num_items + 1, (batch_size, max_len + 1))
    length = torch.randint(5, max_len, (batch_size, 1))
    items[torch.arange(max_len + 1)[None] < max_len - length] = 0
    return items


sessions = [session_batch() for _ in range(16)]
sessions_pinned = [items.pin_memory() for items in sessions]
popularity = torch.rand(num_items, device=dev) + 0.01
history, hits = [], []


# %%
def train(steps):
    model.train()
    running = 0.0
    for step in range(steps):
        items = sessions_pinned[step % 16].to(dev, non_blocking=True)  #- upload
        #+ upload: items = sessions[step % 16].to(dev)
        seq, pos = items[:, :-1], items[:, 1:]
        neg = torch.randint(1, num_items + 1, pos.shape, device=dev)
        pos_logits, neg_logits = model(seq, pos, neg)
        valid = pos != 0
        both = F.softplus(-pos_logits) + F.softplus(neg_logits)
        loss = (both * valid).sum() / valid.sum()  #- indices
        #+ indices: loss = both[valid].mean()
        optimizer.zero_grad()
        item_optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        #+ between: running += loss.item()
        item_optimizer.step()
        #+ item-end: running += loss.item()
        #+ auc: history.append((pos_logits > neg_logits)[valid].float().mean().item())
        #+ novel: drawn = torch.multinomial(popularity, 64)
        #+ print: print(f"step {step} loss {loss.item():.4f}", end="\r")
        #+ tenth: if step % 10 == 0: history.append(loss.cpu())


if __name__ == "__main__":
    train(200)
