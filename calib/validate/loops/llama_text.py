"""A small Llama in TF32: rotary places, grouped keys, a gated layer behind, gradients kept small."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_float32_matmul_precision("high")

BATCH_SIZE = 16
SEQ_LEN = 512
VOCAB = 16384
DIM = 1024
HIDDEN = 2816
N_LAYERS = 3
N_HEADS = 16
N_KV_HEADS = 8
HEAD_DIM = DIM // N_HEADS
DEVICE = torch.device("cuda:0")


def rotary_tables(length, dim, device):
    steps = 1.0 / (10000 ** (torch.arange(0, dim, 2, device=device).float() / dim))
    angles = torch.outer(torch.arange(length, device=device).float(), steps)
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(DIM, N_HEADS * HEAD_DIM, bias=False)
        self.k_proj = nn.Linear(DIM, N_KV_HEADS * HEAD_DIM, bias=False)
        self.v_proj = nn.Linear(DIM, N_KV_HEADS * HEAD_DIM, bias=False)
        self.o_proj = nn.Linear(N_HEADS * HEAD_DIM, DIM, bias=False)

    def forward(self, x, cos, sin):
        batch, length, _ = x.shape
        q = self.q_proj(x).view(batch, length, N_HEADS, HEAD_DIM).transpose(1, 2)
        k = self.k_proj(x).view(batch, length, N_KV_HEADS, HEAD_DIM).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, N_KV_HEADS, HEAD_DIM).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(N_HEADS // N_KV_HEADS, dim=1)
        v = v.repeat_interleave(N_HEADS // N_KV_HEADS, dim=1)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(out.transpose(1, 2).reshape(batch, length, DIM))


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(DIM, HIDDEN, bias=False)
        self.up_proj = nn.Linear(DIM, HIDDEN, bias=False)
        self.down_proj = nn.Linear(HIDDEN, DIM, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention_norm = nn.RMSNorm(DIM, eps=1e-5)
        self.ffn_norm = nn.RMSNorm(DIM, eps=1e-5)
        self.attention = Attention()
        self.feed_forward = FeedForward()

    def forward(self, x, cos, sin):
        h = x + self.attention(self.attention_norm(x), cos, sin)
        return h + self.feed_forward(self.ffn_norm(h))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList()
        for _ in range(N_LAYERS):
            self.layers.append(DecoderLayer())
        self.norm = nn.RMSNorm(DIM, eps=1e-5)
        self.output = nn.Linear(DIM, VOCAB, bias=False)

    def forward(self, tokens, cos, sin):
        h = self.embed(tokens)
        for layer in self.layers:
            h = layer(h, cos, sin)
        return self.output(self.norm(h))


model = Llama().to(DEVICE)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-6, betas=(0.9, 0.95), weight_decay=0.1)
cos, sin = rotary_tables(SEQ_LEN, HEAD_DIM, DEVICE)
corpus = [torch.randint(0, VOCAB, (BATCH_SIZE, SEQ_LEN + 1)) for _ in range(4)]
pinned = [tokens.pin_memory() for tokens in corpus]
running = torch.zeros(1, device=DEVICE)
history = []


def train(steps):
    model.train()
    for step in range(steps):
        batch = pinned[step % 4].to(DEVICE, non_blocking=True)  #- upload
        #+ upload: batch = corpus[step % 4].to(DEVICE)
        inputs, labels = batch[:, :-1], batch[:, 1:]
        logits = model(inputs, cos, sin)
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        #+ item-forward: history.append(loss.item())
        #+ rare: rare = logits.detach().flatten(0, 1)[labels.flatten() < 64]
        optimizer.zero_grad()
        loss.backward()
        #+ item-backward: history.append(loss.item())
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running.lerp_(loss.detach(), 0.01)
        #+ item-end: history.append(running.item())
        #+ log: print(f"step {step} | loss {loss.item():.3f} | norm {grad_norm.item():.2f}")
        #+ accuracy: history.append((logits.argmax(-1) == labels).float().mean().item())
        #+ print: print("running", running)
        #+ tenth: if step % 10 == 0: history.append((loss.item(), grad_norm.item()))


if __name__ == "__main__":
    train(1000)
