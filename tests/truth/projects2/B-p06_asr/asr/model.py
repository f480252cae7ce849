import torch
import torch.nn as nn
import torch.nn.functional as F


class Conv2dSubsampling4(nn.Module):
    def __init__(self, idim, odim):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 32, 3, 2), nn.ReLU(), nn.Conv2d(32, 32, 3, 2), nn.ReLU())
        self.out = nn.Linear(32 * (((idim - 1) // 2 - 1) // 2), odim)

    def forward(self, x, lens):
        x = self.conv(x.unsqueeze(1))
        b, c, t, f = x.size()
        x = self.out(x.transpose(1, 2).contiguous().view(b, t, c * f))
        lens = torch.div(torch.div(lens - 1, 2, rounding_mode="floor") - 1, 2, rounding_mode="floor")
        return x, lens


class ConvModule(nn.Module):
    def __init__(self, dim, kernel=15):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.pw1 = nn.Conv1d(dim, 2 * dim, 1)
        self.dw = nn.Conv1d(dim, dim, kernel, padding=kernel // 2, groups=dim)
        self.bn = nn.BatchNorm1d(dim)
        self.pw2 = nn.Conv1d(dim, dim, 1)

    def forward(self, x, pad):
        h = self.norm(x).transpose(1, 2)
        h = h.masked_fill(pad.unsqueeze(1), 0.0)
        h = F.glu(self.pw1(h), dim=1)
        h = self.pw2(F.silu(self.bn(self.dw(h))))
        return h.transpose(1, 2)


class ConformerBlock(nn.Module):
    def __init__(self, dim, heads, ff, dropout):
        super().__init__()
        self.ff1 = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, ff), nn.SiLU(), nn.Dropout(dropout), nn.Linear(ff, dim))
        self.ff2 = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, ff), nn.SiLU(), nn.Dropout(dropout), nn.Linear(ff, dim))
        self.norm_att = nn.LayerNorm(dim)
        self.att = nn.MultiheadAttention(dim, heads, dropout, batch_first=True)
        self.conv = ConvModule(dim)
        self.norm_out = nn.LayerNorm(dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, pad):
        x = x + 0.5 * self.drop(self.ff1(x))
        h = self.norm_att(x)
        x = x + self.drop(self.att(h, h, h, key_padding_mask=pad, need_weights=False)[0])
        x = x + self.drop(self.conv(x, pad))
        x = x + 0.5 * self.drop(self.ff2(x))
        return self.norm_out(x)


class Predictor(nn.Module):
    def __init__(self, vocab, dim, blank):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=blank)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)

    def forward(self, y, state=None):
        return self.rnn(self.embed(y), state)


class Joiner(nn.Module):
    def __init__(self, enc_dim, pred_dim, dim, vocab):
        super().__init__()
        self.enc = nn.Linear(enc_dim, dim)
        self.pred = nn.Linear(pred_dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, enc, pred):
        return self.out(torch.tanh(self.enc(enc).unsqueeze(2) + self.pred(pred).unsqueeze(1)))


class ASRModel(nn.Module):
    def __init__(self, vocab, n_mels=64, dim=144, heads=4, layers=4, dropout=0.1, blank=0):
        super().__init__()
        self.blank = blank
        self.subsample = Conv2dSubsampling4(n_mels, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(1, 512, dim))
        self.blocks = nn.ModuleList([ConformerBlock(dim, heads, 4 * dim, dropout) for _ in range(layers)])
        self.ctc = nn.Linear(dim, vocab)
        self.predictor = Predictor(vocab, 128, blank)
        self.joiner = Joiner(dim, 128, 128, vocab)

    def encode(self, x, lens):
        x, lens = self.subsample(x, lens)
        x = x + self.pos[:, : x.size(1)]
        pad = torch.arange(x.size(1), device=x.device)[None] >= lens[:, None]
        for b in self.blocks:
            x = b(x, pad)
        return x, lens

    def forward(self, x, lens, y):
        enc, enc_lens = self.encode(x, lens)
        y_in = F.pad(y, (1, 0), value=self.blank)
        pred, _ = self.predictor(y_in)
        return self.joiner(enc, pred), self.ctc(enc).float().log_softmax(-1), enc_lens
