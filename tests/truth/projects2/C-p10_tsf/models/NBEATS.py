import numpy as np
import torch
from torch import nn


class TrendBasis(nn.Module):
    def __init__(self, degree, backcast, forecast):
        super().__init__()
        self.k = degree + 1
        tb = np.arange(backcast) / backcast
        tf = np.arange(forecast) / forecast
        self.register_buffer('bb', torch.tensor(np.stack([tb ** i for i in range(self.k)]), dtype=torch.float32))
        self.register_buffer('fb', torch.tensor(np.stack([tf ** i for i in range(self.k)]), dtype=torch.float32))
        self.theta_dim = 2 * self.k

    def forward(self, theta):
        return theta[:, :self.k] @ self.bb, theta[:, self.k:] @ self.fb


class SeasonalityBasis(nn.Module):
    def __init__(self, harmonics, backcast, forecast):
        super().__init__()
        h = np.arange(1, harmonics + 1)[:, None]
        tb = 2 * np.pi * h * np.arange(backcast)[None] / forecast
        tf = 2 * np.pi * h * np.arange(forecast)[None] / forecast
        self.k = 2 * harmonics
        self.register_buffer('bb', torch.tensor(np.concatenate([np.cos(tb), np.sin(tb)]), dtype=torch.float32))
        self.register_buffer('fb', torch.tensor(np.concatenate([np.cos(tf), np.sin(tf)]), dtype=torch.float32))
        self.theta_dim = 2 * self.k

    def forward(self, theta):
        return theta[:, :self.k] @ self.bb, theta[:, self.k:] @ self.fb


class GenericBasis(nn.Module):
    def __init__(self, backcast, forecast):
        super().__init__()
        self.b = backcast
        self.theta_dim = backcast + forecast

    def forward(self, theta):
        return theta[:, :self.b], theta[:, self.b:]


class Block(nn.Module):
    def __init__(self, inp, width, layers, basis):
        super().__init__()
        ls = []
        for i in range(layers):
            ls += [nn.Linear(inp if i == 0 else width, width), nn.ReLU()]
        self.fc = nn.Sequential(*ls)
        self.theta = nn.Linear(width, basis.theta_dim)
        self.basis = basis

    def forward(self, x):
        return self.basis(self.theta(self.fc(x)))


class Model(nn.Module):
    """N-BEATS, channel independent"""

    def __init__(self, configs):
        super().__init__()
        b, f = configs.seq_len, configs.pred_len
        self.blocks = nn.ModuleList(
            [Block(b, configs.d_ff, 3, TrendBasis(2, b, f)) for _ in range(2)] +
            [Block(b, configs.d_ff, 3, SeasonalityBasis(8, b, f)) for _ in range(2)] +
            [Block(b, configs.d_ff, 3, GenericBasis(b, f)) for _ in range(2)])
        self.pred_len = f

    def forward(self, x_enc, x_mark=None):
        B, L, C = x_enc.shape
        x = x_enc.permute(0, 2, 1).reshape(B * C, L)
        level = x[:, -1:].detach()
        residual = x - level
        forecast = 0
        for block in self.blocks:
            back, fore = block(residual)
            residual = residual - back
            forecast = forecast + fore
        return (forecast + level).view(B, C, self.pred_len).permute(0, 2, 1)
