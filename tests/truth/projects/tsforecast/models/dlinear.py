import torch
import torch.nn as nn


class moving_avg(nn.Module):
    """Moving average block to highlight the trend of time series"""

    def __init__(self, kernel_size, stride):
        super(moving_avg, self).__init__()
        self.kernel_size = kernel_size
        self.avg = nn.AvgPool1d(kernel_size=kernel_size, stride=stride, padding=0)

    def forward(self, x):
        front = x[:, 0:1, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        end = x[:, -1:, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        x = torch.cat([front, x, end], dim=1)
        return self.avg(x.permute(0, 2, 1)).permute(0, 2, 1)


class DLinear(nn.Module):
    def __init__(self, configs):
        super(DLinear, self).__init__()
        self.pred_len = configs.pred_len
        self.mov = moving_avg(25, stride=1)
        self.Linear_Seasonal = nn.Linear(configs.seq_len, configs.pred_len)
        self.Linear_Trend = nn.Linear(configs.seq_len, configs.pred_len)

    def forward(self, x_enc, x_mark_enc, x_dec, x_mark_dec):
        trend = self.mov(x_enc)
        seasonal = x_enc - trend
        s = self.Linear_Seasonal(seasonal.permute(0, 2, 1))
        t = self.Linear_Trend(trend.permute(0, 2, 1))
        return (s + t).permute(0, 2, 1)


class VanillaTransformer(nn.Module):
    def __init__(self, configs):
        super(VanillaTransformer, self).__init__()
        d = configs.d_model
        self.pred_len = configs.pred_len
        self.enc_in = nn.Linear(configs.enc_in + 2, d)
        self.dec_in = nn.Linear(configs.enc_in + 2, d)
        self.pos = nn.Parameter(torch.randn(1, 512, d) * 0.02)
        self.tr = nn.Transformer(d, 4, configs.e_layers, 1, 2 * d, configs.dropout, batch_first=True)
        self.proj = nn.Linear(d, configs.enc_in)

    def forward(self, x_enc, x_mark_enc, x_dec, x_mark_dec):
        means = x_enc.mean(1, keepdim=True).detach()
        e = self.enc_in(torch.cat([x_enc - means, x_mark_enc], -1)) + self.pos[:, :x_enc.size(1)]
        d = self.dec_in(torch.cat([x_dec, x_mark_dec], -1)) + self.pos[:, :x_dec.size(1)]
        mask = nn.Transformer.generate_square_subsequent_mask(x_dec.size(1)).to(x_enc.device)
        out = self.proj(self.tr(e, d, tgt_mask=mask)) + means
        return out[:, -self.pred_len:]
