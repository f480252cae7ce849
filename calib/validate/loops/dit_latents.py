"""A diffusion transformer on latents of 32 by 32: adaptive norms, the noise is the target, an average of the weights is kept."""
import argparse
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=48)
    parser.add_argument("--hidden-size", type=int, default=1024)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--num-heads", type=int, default=16)
    parser.add_argument("--num-classes", type=int, default=1000)
    parser.add_argument("--ema-decay", type=float, default=0.9999)
    return parser.parse_args([])


def modulate(x, shift, scale):
    return x * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


class TimestepEmbedder(nn.Module):
    def __init__(self, hidden_size, frequency_size=256):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(frequency_size, hidden_size), nn.SiLU(), nn.Linear(hidden_size, hidden_size))
        self.frequency_size = frequency_size

    def forward(self, t):
        half = self.frequency_size // 2
        freqs = torch.exp(-math.log(10000) * torch.arange(half, dtype=torch.float32, device=t.device) / half)
        angles = t[:, None].float() * freqs[None]
        return self.mlp(torch.cat([torch.cos(angles), torch.sin(angles)], dim=-1))


class Attention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4).unbind(0)
        x = F.scaled_dot_product_attention(q, k, v)
        return self.proj(x.transpose(1, 2).reshape(B, N, C))


class DiTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(hidden_size, elementwise_affine=False, eps=1e-6)
        self.attn = Attention(hidden_size, num_heads)
        self.norm2 = nn.LayerNorm(hidden_size, elementwise_affine=False, eps=1e-6)
        self.mlp = nn.Sequential(nn.Linear(hidden_size, 4 * hidden_size), nn.GELU(approximate="tanh"),
                                 nn.Linear(4 * hidden_size, hidden_size))
        self.adaLN_modulation = nn.Sequential(nn.SiLU(), nn.Linear(hidden_size, 6 * hidden_size))

    def forward(self, x, c):
        shift_msa, scale_msa, gate_msa, shift_mlp, scale_mlp, gate_mlp = self.adaLN_modulation(c).chunk(6, dim=1)
        x = x + gate_msa.unsqueeze(1) * self.attn(modulate(self.norm1(x), shift_msa, scale_msa))
        return x + gate_mlp.unsqueeze(1) * self.mlp(modulate(self.norm2(x), shift_mlp, scale_mlp))


class DiT(nn.Module):
    def __init__(self, hidden_size, depth, num_heads, num_classes, input_size=32, patch_size=2, channels=4):
        super().__init__()
        self.patch = nn.Conv2d(channels, hidden_size, kernel_size=patch_size, stride=patch_size)
        self.pos_embed = nn.Parameter(torch.zeros(1, (input_size // patch_size) ** 2, hidden_size), requires_grad=False)
        self.t_embedder = TimestepEmbedder(hidden_size)
        self.y_embedder = nn.Embedding(num_classes + 1, hidden_size)
        self.blocks = nn.ModuleList([DiTBlock(hidden_size, num_heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(hidden_size, elementwise_affine=False, eps=1e-6)
        self.final = nn.Linear(hidden_size, patch_size * patch_size * channels)
        self.grid, self.patch_size, self.channels = input_size // patch_size, patch_size, channels

    def unpatchify(self, x):
        g, p, c = self.grid, self.patch_size, self.channels
        x = x.reshape(x.shape[0], g, g, p, p, c)
        return torch.einsum("nhwpqc->nchpwq", x).reshape(x.shape[0], c, g * p, g * p)

    def forward(self, x, t, y):
        x = self.patch(x).flatten(2).transpose(1, 2) + self.pos_embed
        c = self.t_embedder(t) + self.y_embedder(y)
        for block in self.blocks:
            x = block(x, c)
        return self.unpatchify(self.final(self.norm(x)))


@torch.no_grad()
def update_ema(ema_model, model, decay):
    for ema_param, param in zip(ema_model.parameters(), model.parameters()):
        ema_param.mul_(decay).add_(param.data, alpha=1 - decay)


args = get_args()
device = torch.device("cuda")
model = DiT(args.hidden_size, args.depth, args.num_heads, args.num_classes).to(device)
ema = copy.deepcopy(model).eval()
opt = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=0)
alphas_cumprod = torch.cumprod(1.0 - torch.linspace(1e-4, 2e-2, 1000, device=device), dim=0)
latents = [torch.randn(args.batch_size, 4, 32, 32) for _ in range(8)]
labels = [torch.randint(0, args.num_classes, (args.batch_size,)) for _ in range(8)]
latents_pinned, labels_pinned = [x.pin_memory() for x in latents], [y.pin_memory() for y in labels]
losses = []


def train(steps):
    model.train()
    for step in range(steps):
        x = latents_pinned[step % 8].to(device, non_blocking=True)  #- upload
        #+ upload: x = latents[step % 8].to(device)
        y = labels_pinned[step % 8].to(device, non_blocking=True)
        t = torch.randint(0, 1000, (x.shape[0],), device=device)
        noise = torch.randn_like(x)
        a = alphas_cumprod[t].view(-1, 1, 1, 1)
        noisy = a.sqrt() * x + (1 - a).sqrt() * noise
        with torch.autocast("cuda", dtype=torch.bfloat16):
            predicted = model(noisy, t, y)
        per_sample = (predicted.float() - noise).pow(2).mean(dim=(1, 2, 3))
        loss = per_sample.mean()
        #+ item-forward: losses.append(loss.item())
        #+ early: losses.append(per_sample[t < 100].detach())
        opt.zero_grad()
        loss.backward()
        #+ item-backward: losses.append(loss.item())
        opt.step()
        #+ before-ema: losses.append(loss.item())
        update_ema(ema, model, args.ema_decay)
        #+ item-end: losses.append(loss.item())
        #+ curve: losses.append((t.tolist(), per_sample.tolist()))
        #+ sample: sample = predicted[:8].detach().float().cpu()
        #+ log: print(f"(step={step:07d}) Train Loss: {loss.item():.4f}")
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: losses.append(loss.item())


if __name__ == "__main__":
    train(1000)
