import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class moving_avg(nn.Module):
    def __init__(self, kernel_size, stride):
        super().__init__()
        self.kernel_size = kernel_size
        self.avg = nn.AvgPool1d(kernel_size=kernel_size, stride=stride, padding=0)

    def forward(self, x):
        front = x[:, 0:1, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        end = x[:, -1:, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        x = torch.cat([front, x, end], dim=1)
        return self.avg(x.permute(0, 2, 1)).permute(0, 2, 1)


class DLinear(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.decomp = moving_avg(25, 1)
        self.seasonal = nn.Linear(configs.seq_len, configs.pred_len)
        self.trend = nn.Linear(configs.seq_len, configs.pred_len)

    def forward(self, x, x_mark, dec, dec_mark):
        trend = self.decomp(x)
        seasonal = x - trend
        out = self.seasonal(seasonal.permute(0, 2, 1)) + self.trend(trend.permute(0, 2, 1))
        return out.permute(0, 2, 1)


class ProbAttention(nn.Module):
    def __init__(self, factor=5):
        super().__init__()
        self.factor = factor

    def _prob_QK(self, Q, K, sample_k, n_top):
        B, H, L_K, E = K.shape
        _, _, L_Q, _ = Q.shape
        K_expand = K.unsqueeze(-3).expand(B, H, L_Q, L_K, E)
        index_sample = torch.randint(L_K, (L_Q, sample_k))
        K_sample = K_expand[:, :, torch.arange(L_Q).unsqueeze(1), index_sample, :]  # sync: index-from-host note
        Q_K_sample = torch.matmul(Q.unsqueeze(-2), K_sample.transpose(-2, -1)).squeeze()
        M = Q_K_sample.max(-1)[0] - torch.div(Q_K_sample.sum(-1), L_K)
        M_top = M.topk(n_top, sorted=False)[1]
        Q_reduce = Q[torch.arange(B)[:, None, None], torch.arange(H)[None, :, None], M_top, :]  # sync: index-from-host note
        return torch.matmul(Q_reduce, K.transpose(-2, -1)), M_top

    def forward(self, queries, keys, values):
        B, L_Q, H, D = queries.shape
        _, L_K, _, _ = keys.shape
        queries, keys, values = queries.transpose(2, 1), keys.transpose(2, 1), values.transpose(2, 1)
        U_part = self.factor * np.ceil(np.log(L_K)).astype("int").item()
        u = min(U_part, L_Q)
        scores, index = self._prob_QK(queries, keys, sample_k=min(U_part, L_K), n_top=u)
        context = values.mean(dim=-2).unsqueeze(-2).expand(B, H, L_Q, values.shape[-1]).clone()
        attn = torch.softmax(scores * (1.0 / math.sqrt(D)), dim=-1)
        context[torch.arange(B)[:, None, None], torch.arange(H)[None, :, None], index, :] = torch.matmul(attn, values).type_as(context)  # sync: index-from-host note
        return context.transpose(2, 1).contiguous()


class PatchTransformer(nn.Module):
    def __init__(self, configs):
        super().__init__()
        self.embed = nn.Linear(configs.enc_in, configs.d_model)
        self.attn = ProbAttention()
        self.head = nn.Linear(configs.d_model, configs.c_out)
        self.pred_len = configs.pred_len

    def forward(self, x, x_mark, dec, dec_mark):
        means = x.mean(1, keepdim=True).detach()
        x = x - means
        h = self.embed(x)
        h = h.view(h.size(0), h.size(1), 8, -1)
        h = self.attn(h, h, h).flatten(2)
        return self.head(h)[:, -self.pred_len :] + means
