import torch
from torch import nn


class RevIN(nn.Module):
    def __init__(self, num_features, eps=1e-5, affine=True):
        super().__init__()
        self.eps = eps
        self.affine = affine
        if affine:
            self.affine_weight = nn.Parameter(torch.ones(num_features))
            self.affine_bias = nn.Parameter(torch.zeros(num_features))

    def forward(self, x, mode):
        if mode == 'norm':
            self.mean = torch.mean(x, dim=1, keepdim=True).detach()
            self.stdev = torch.sqrt(torch.var(x, dim=1, keepdim=True, unbiased=False) + self.eps).detach()
            x = (x - self.mean) / self.stdev
            if self.affine:
                x = x * self.affine_weight + self.affine_bias
        elif mode == 'denorm':
            if self.affine:
                x = (x - self.affine_bias) / (self.affine_weight + self.eps * self.eps)
            x = x * self.stdev + self.mean
        else:
            raise NotImplementedError
        return x


class Transpose(nn.Module):
    def forward(self, x):
        return x.transpose(1, 2)


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__()
        self.attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.norm1 = nn.Sequential(Transpose(), nn.BatchNorm1d(d_model), Transpose())
        self.norm2 = nn.Sequential(Transpose(), nn.BatchNorm1d(d_model), Transpose())
        self.ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        a, w = self.attn(x, x, x)
        x = self.norm1(x + self.drop(a))
        x = self.norm2(x + self.drop(self.ff(x)))
        return x, w


class Model(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.patch_len, self.stride = configs.patch_len, configs.stride
        self.output_attention = configs.output_attention
        n_patch = (configs.seq_len - self.patch_len) // self.stride + 2
        self.revin = RevIN(configs.enc_in)
        self.pad = nn.ReplicationPad1d((0, self.stride))
        self.emb = nn.Linear(self.patch_len, configs.d_model)
        self.pos = nn.Parameter(torch.randn(1, n_patch, configs.d_model) * 0.02)
        self.drop = nn.Dropout(configs.dropout)
        self.layers = nn.ModuleList([EncoderLayer(configs.d_model, configs.n_heads, configs.d_ff, configs.dropout)
                                     for _ in range(configs.e_layers)])
        self.head = nn.Sequential(nn.Flatten(-2), nn.Dropout(configs.dropout),
                                  nn.Linear(n_patch * configs.d_model, configs.pred_len))

    def forward(self, x_enc, x_mark=None):
        B, L, C = x_enc.shape
        x = self.revin(x_enc, 'norm').permute(0, 2, 1)
        x = self.pad(x).unfold(-1, self.patch_len, self.stride)        # B C N P
        x = self.emb(x.reshape(B * C, x.shape[2], x.shape[3]))
        x = self.drop(x + self.pos)
        attns = []
        for layer in self.layers:
            x, a = layer(x)
            attns.append(a)
        x = self.head(x).view(B, C, -1).permute(0, 2, 1)
        x = self.revin(x, 'denorm')
        if self.output_attention:
            return x, attns
        return x
