import torch
import torch.nn as nn
import torch.nn.functional as F


class SpectralConv2d(nn.Module):
    """weights are stored as real pairs so that every optimizer (LBFGS included) sees real tensors"""

    def __init__(self, cin, cout, m1, m2):
        super().__init__()
        self.m1, self.m2 = m1, m2
        s = 1.0 / (cin * cout)
        self.w1 = nn.Parameter(s * torch.rand(cin, cout, m1, m2, 2))
        self.w2 = nn.Parameter(s * torch.rand(cin, cout, m1, m2, 2))
        self.cout = cout

    def forward(self, x):
        B, _, H, W = x.shape
        xf = torch.fft.rfft2(x)
        out = torch.zeros(B, self.cout, H, W // 2 + 1, dtype=xf.dtype, device=x.device)
        lo = torch.einsum("bixy,ioxy->boxy", xf[:, :, :self.m1, :self.m2], torch.view_as_complex(self.w1))
        hi = torch.einsum("bixy,ioxy->boxy", xf[:, :, -self.m1:, :self.m2], torch.view_as_complex(self.w2))
        out[:, :, :self.m1, :self.m2] = lo
        out[:, :, -self.m1:, :self.m2] = hi
        return torch.fft.irfft2(out, s=(H, W))


class FNO2d(nn.Module):
    """(u0(x), x, t) -> u(t, x); time axis is padded because it is not periodic"""

    def __init__(self, width=24, modes_t=6, modes_x=12, depth=4, pad_t=5, hard_ic=False):
        super().__init__()
        self.pad_t = pad_t
        self.hard_ic = hard_ic
        self.lift = nn.Conv2d(4, width, 1)
        self.spec = nn.ModuleList([SpectralConv2d(width, width, modes_t, modes_x) for _ in range(depth)])
        self.skip = nn.ModuleList([nn.Conv2d(width, width, 1) for _ in range(depth)])
        self.proj1 = nn.Conv2d(width, 64, 1)
        self.proj2 = nn.Conv2d(64, 1, 1)

    def forward(self, u0, nt):
        B, nx = u0.shape
        t = torch.linspace(0, 1, nt + 1, device=u0.device, dtype=u0.dtype)
        x = torch.arange(nx, device=u0.device, dtype=u0.dtype) / nx * 2 * torch.pi
        tt = t.view(1, 1, -1, 1).expand(B, 1, nt + 1, nx)
        h = torch.cat([
            u0.view(B, 1, 1, nx).expand(B, 1, nt + 1, nx), tt,
            torch.sin(x).expand(B, 1, nt + 1, nx), torch.cos(x).expand(B, 1, nt + 1, nx),
        ], dim=1)
        h = F.pad(self.lift(h), (0, 0, 0, self.pad_t))
        for i, (s, w) in enumerate(zip(self.spec, self.skip)):
            h = s(h) + w(h)
            if i < len(self.spec) - 1:
                h = F.gelu(h)
        h = h[:, :, :nt + 1]
        u = self.proj2(F.gelu(self.proj1(h))).squeeze(1)
        return u0[:, None] + tt.squeeze(1) * u if self.hard_ic else u
