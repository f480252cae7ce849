"""Arguments of forward that are sizes, flags, modes and names: known by how they are used. Tensors stay tensors."""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x, mode, train, height, width, lengths, k, scale, names, pad, mask=None, eps=1e-5):
        if train:
            x = F.dropout(x, 0.1)
        if mode == "mean":
            x = x.mean(1)
        elif mode in ("sum", "max"):
            x = x.sum(1)
        if not train and k > 1:
            x = x[:, :k]
        x = F.interpolate(x, size=(height, width))
        if scale != 1.0:
            x = x * scale
        for name in names:
            if name.startswith("a"):
                x = x + 1
        if pad > 0:
            x = F.pad(x, (pad, pad))
        b, c, h, w = x.shape
        if h % 2 or w % 2:
            x = F.pad(x, (0, w % 2, 0, h % 2))
        if height * width > 100:
            x = x[..., : height // 2]
        pooled = F.adaptive_avg_pool2d(x, (height // k, width // k))
        y = x.reshape(b, k, -1)
        for i in range(k):
            y = y + i
        if mask is not None:
            y = y.masked_fill(mask, 0)
        return y, pooled

def drop_path(x, drop_prob, training):
    if drop_prob == 0. or not training:
        return x
    keep = 1 - drop_prob
    return x * keep

def window_partition(x, window_size):
    B, H, W, C = x.shape
    x = x.view(B, H // window_size, window_size, W // window_size, window_size, C)
    return x
class Attn(nn.Module):
    def forward(self, q, k, v, causal, num_heads, H, W):
        B, N, C = q.shape
        assert N == H * W
        pad_r = (7 - W % 7) % 7
        if pad_r > 0:
            q = F.pad(q, (0, pad_r))
        if causal:
            m = torch.ones(N, N, device=q.device).triu(1).bool()
        q = q.view(B, N, num_heads, C // num_heads)
        return drop_path(q, 0.1, self.training)


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 8)
        self.out = nn.Linear(8, 8)

    def forward(self, x, t, threshold, labels, weights):
        h = self.out(x) + self.embed(t)
        if t > 500:
            h = h * 2
        if (labels == 3).any():  # sync: tensor-truth
            h = -h
        if labels.max() > threshold:  # sync: tensor-truth
            h = h + 1
        for w in weights:
            if w > 0:
                h = h * w
        return h
