"""Masked amino acids, in the way of ESM: rotary positions, pre-norm, float32 with TF32 products, accuracy of what was masked."""
import torch
from torch import nn
from torch.nn import functional as F

torch.backends.cuda.matmul.allow_tf32 = True

ALPHABET, PAD, MASK = 33, 1, 32
hparams = dict(embed_dim=640, ffn_dim=2560, heads=20, layers=6, max_len=512, batch_size=24, lr=4e-7)
device = "cuda"


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


class RotaryEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim)))

    def forward(self, q, k):
        t = torch.arange(q.shape[-2], device=q.device).type_as(self.inv_freq)
        freqs = torch.einsum("i,j->ij", t, self.inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        cos, sin = emb.cos()[None, None], emb.sin()[None, None]
        return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


class SelfAttention(nn.Module):
    def __init__(self, embed_dim, heads):
        super().__init__()
        self.heads, self.head_dim = heads, embed_dim // heads
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.rot_emb = RotaryEmbedding(self.head_dim)

    def forward(self, x):
        bsz, length, dim = x.size()
        q = self.q_proj(x).view(bsz, length, self.heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, length, self.heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, length, self.heads, self.head_dim).transpose(1, 2)
        q, k = self.rot_emb(q, k)
        attn = F.scaled_dot_product_attention(q, k, v)
        return self.out_proj(attn.transpose(1, 2).reshape(bsz, length, dim))


class TransformerLayer(nn.Module):
    def __init__(self, embed_dim, ffn_dim, heads):
        super().__init__()
        self.self_attn = SelfAttention(embed_dim, heads)
        self.self_attn_layer_norm = nn.LayerNorm(embed_dim)
        self.fc1 = nn.Linear(embed_dim, ffn_dim)
        self.fc2 = nn.Linear(ffn_dim, embed_dim)
        self.final_layer_norm = nn.LayerNorm(embed_dim)

    def forward(self, x):
        x = x + self.self_attn(self.self_attn_layer_norm(x))
        return x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))


class ProteinBert(nn.Module):
    def __init__(self, embed_dim, ffn_dim, heads, layers):
        super().__init__()
        self.embed_tokens = nn.Embedding(ALPHABET, embed_dim, padding_idx=PAD)
        self.layers = nn.ModuleList([TransformerLayer(embed_dim, ffn_dim, heads) for _ in range(layers)])
        self.emb_layer_norm_after = nn.LayerNorm(embed_dim)
        self.dense = nn.Linear(embed_dim, embed_dim)
        self.layer_norm = nn.LayerNorm(embed_dim)
        self.bias = nn.Parameter(torch.zeros(ALPHABET))

    def forward(self, tokens):
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x)
        x = self.layer_norm(F.gelu(self.dense(self.emb_layer_norm_after(x))))
        return F.linear(x, self.embed_tokens.weight, self.bias)


model = ProteinBert(hparams["embed_dim"], hparams["ffn_dim"], hparams["heads"], hparams["layers"]).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=hparams["lr"], betas=(0.9, 0.98))
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, step / 2000))
proteins = [torch.randint(4, 24, (hparams["batch_size"], hparams["max_len"])) for _ in range(10)]
proteins_pinned = [p.pin_memory() for p in proteins]
history = {"loss": [], "accuracy": [], "perplexity": []}


def train(steps):
    model.train()
    for step in range(steps):
        tokens = proteins_pinned[step % 10].to(device, non_blocking=True)  #- upload
        #+ upload: tokens = proteins[step % 10].to(device)
        masked = torch.rand(tokens.shape, device=device) < 0.15
        inputs = torch.where(masked, MASK, tokens)
        logits = model(inputs)
        targets = tokens.masked_fill(~masked, -100)
        loss = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=-100)  #- gather
        #+ gather: loss = F.cross_entropy(logits[masked], tokens[masked])
        #+ item-forward: history["loss"].append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: history["loss"].append(loss.item())
        optimizer.step()
        warmup.step()
        #+ item-end: history["loss"].append(loss.item())
        #+ perplexity: history["perplexity"].append(loss.exp().item())
        #+ accuracy: history["accuracy"].append((logits.argmax(-1)[masked] == tokens[masked]).float().mean().item())
        #+ probabilities: probabilities = logits.detach().softmax(-1).cpu()
        #+ line: print("step %d  loss %.3f  lr %.2e" % (step, loss, warmup.get_last_lr()[0]))
        #+ print: print(loss)
        #+ tenth: if step % 10 == 0: history["loss"].append(loss.item())


if __name__ == "__main__":
    train(1000)
