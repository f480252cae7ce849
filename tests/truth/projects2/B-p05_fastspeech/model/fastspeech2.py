import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import hparams as hp
from text import symbols
from utils.tools import device, get_mask_from_lengths, get_sinusoid_encoding_table, pad


class ScaledDotProductAttention(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature
        self.softmax = nn.Softmax(dim=2)

    def forward(self, q, k, v, mask=None):
        attn = torch.bmm(q, k.transpose(1, 2))
        attn = attn / self.temperature
        if mask is not None:
            attn = attn.masked_fill(mask, -np.inf)
        attn = self.softmax(attn)
        return torch.bmm(attn, v), attn


class MultiHeadAttention(nn.Module):
    def __init__(self, n_head, d_model, dropout=0.1):
        super().__init__()
        self.n_head = n_head
        self.d_k = d_model // n_head
        self.w_qs = nn.Linear(d_model, d_model)
        self.w_ks = nn.Linear(d_model, d_model)
        self.w_vs = nn.Linear(d_model, d_model)
        self.attention = ScaledDotProductAttention(temperature=np.power(self.d_k, 0.5))
        self.layer_norm = nn.LayerNorm(d_model)
        self.fc = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        d_k, n_head = self.d_k, self.n_head
        sz_b, len_q, _ = x.size()
        residual = x
        q = self.w_qs(x).view(sz_b, len_q, n_head, d_k).permute(2, 0, 1, 3).contiguous().view(-1, len_q, d_k)
        k = self.w_ks(x).view(sz_b, len_q, n_head, d_k).permute(2, 0, 1, 3).contiguous().view(-1, len_q, d_k)
        v = self.w_vs(x).view(sz_b, len_q, n_head, d_k).permute(2, 0, 1, 3).contiguous().view(-1, len_q, d_k)
        mask = mask.repeat(n_head, 1, 1)  # (n*b) x .. x ..
        output, attn = self.attention(q, k, v, mask=mask)
        output = output.view(n_head, sz_b, len_q, d_k).permute(1, 2, 0, 3).contiguous().view(sz_b, len_q, -1)
        return self.layer_norm(self.dropout(self.fc(output)) + residual), attn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_in, d_hid, dropout=0.1):
        super().__init__()
        k = hp.fft_conv1d_kernel_size
        self.w_1 = nn.Conv1d(d_in, d_hid, kernel_size=k[0], padding=(k[0] - 1) // 2)
        self.w_2 = nn.Conv1d(d_hid, d_in, kernel_size=k[1], padding=(k[1] - 1) // 2)
        self.layer_norm = nn.LayerNorm(d_in)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        output = self.w_2(F.relu(self.w_1(x.transpose(1, 2)))).transpose(1, 2)
        return self.layer_norm(self.dropout(output) + x)


class FFTBlock(nn.Module):
    def __init__(self, d_model, n_head, d_inner, dropout):
        super().__init__()
        self.slf_attn = MultiHeadAttention(n_head, d_model, dropout)
        self.pos_ffn = PositionwiseFeedForward(d_model, d_inner, dropout)

    def forward(self, x, mask, slf_attn_mask):
        x, attn = self.slf_attn(x, mask=slf_attn_mask)
        x = x.masked_fill(mask.unsqueeze(-1), 0)
        x = self.pos_ffn(x)
        return x.masked_fill(mask.unsqueeze(-1), 0)


class FFTStack(nn.Module):
    def __init__(self, n_layers, n_head, d_model, dropout):
        super().__init__()
        self.position_enc = nn.Parameter(
            get_sinusoid_encoding_table(hp.max_seq_len + 1, d_model).unsqueeze(0), requires_grad=False)
        self.layers = nn.ModuleList(
            [FFTBlock(d_model, n_head, hp.fft_conv1d_filter_size, dropout) for _ in range(n_layers)])

    def forward(self, x, mask):
        slf_attn_mask = mask.unsqueeze(1).expand(-1, x.size(1), -1)
        x = x + self.position_enc[:, :x.size(1)]
        for layer in self.layers:
            x = layer(x, mask, slf_attn_mask)
        return x


class VariancePredictor(nn.Module):
    """ Duration, Pitch and Energy Predictor """

    def __init__(self):
        super().__init__()
        f, k = hp.variance_predictor_filter_size, hp.variance_predictor_kernel_size
        self.conv1 = nn.Conv1d(hp.encoder_hidden, f, k, padding=(k - 1) // 2)
        self.ln1 = nn.LayerNorm(f)
        self.conv2 = nn.Conv1d(f, f, k, padding=1)
        self.ln2 = nn.LayerNorm(f)
        self.dropout = nn.Dropout(hp.variance_predictor_dropout)
        self.linear_layer = nn.Linear(f, 1)

    def forward(self, x, mask):
        out = self.dropout(self.ln1(F.relu(self.conv1(x.transpose(1, 2))).transpose(1, 2)))
        out = self.dropout(self.ln2(F.relu(self.conv2(out.transpose(1, 2))).transpose(1, 2)))
        out = self.linear_layer(out).squeeze(-1)
        if mask is not None:
            out = out.masked_fill(mask, 0.)
        return out


class LengthRegulator(nn.Module):
    """ Length Regulator """

    def LR(self, x, duration, max_len):
        output = list()
        mel_len = list()
        for batch, expand_target in zip(x, duration):
            expanded = self.expand(batch, expand_target)
            output.append(expanded)
            mel_len.append(expanded.shape[0])
        output = pad(output, max_len)
        return output, torch.LongTensor(mel_len).to(device)

    def expand(self, batch, predicted):
        out = list()
        for i, vec in enumerate(batch):
            expand_size = predicted[i].item()
            out.append(vec.expand(int(expand_size), -1))
        return torch.cat(out, 0)

    def forward(self, x, duration, max_len):
        return self.LR(x, duration, max_len)


class VarianceAdaptor(nn.Module):
    def __init__(self):
        super().__init__()
        self.duration_predictor = VariancePredictor()
        self.length_regulator = LengthRegulator()
        self.pitch_predictor = VariancePredictor()
        self.energy_predictor = VariancePredictor()
        self.pitch_bins = nn.Parameter(
            torch.exp(torch.linspace(np.log(hp.f0_min), np.log(hp.f0_max), hp.n_bins - 1)), requires_grad=False)
        self.energy_bins = nn.Parameter(
            torch.linspace(hp.energy_min, hp.energy_max, hp.n_bins - 1), requires_grad=False)
        self.pitch_embedding = nn.Embedding(hp.n_bins, hp.encoder_hidden)
        self.energy_embedding = nn.Embedding(hp.n_bins, hp.encoder_hidden)

    def forward(self, x, src_mask, mel_mask=None, duration_target=None, pitch_target=None, energy_target=None,
                max_len=None, d_control=1.0):
        log_duration_prediction = self.duration_predictor(x, src_mask)
        if duration_target is not None:
            x, mel_len = self.length_regulator(x, duration_target, max_len)
        else:
            duration_rounded = torch.clamp(
                torch.round((torch.exp(log_duration_prediction) - hp.log_offset) * d_control), min=0)
            # at least one frame in all, or cat() has nothing
            duration_rounded[:, 0] = duration_rounded[:, 0].clamp(min=1)
            duration_rounded = duration_rounded.clamp(max=12).masked_fill(src_mask, 0)
            x, mel_len = self.length_regulator(x, duration_rounded, max_len)
            mel_mask = get_mask_from_lengths(mel_len)

        pitch_prediction = self.pitch_predictor(x, mel_mask)
        p = pitch_target if pitch_target is not None else pitch_prediction * 100.
        energy_prediction = self.energy_predictor(x, mel_mask)
        e = energy_target if energy_target is not None else energy_prediction
        x = x + self.pitch_embedding(torch.bucketize(p, self.pitch_bins)) \
            + self.energy_embedding(torch.bucketize(e, self.energy_bins))
        return x, log_duration_prediction, pitch_prediction, energy_prediction, mel_len, mel_mask


class PostNet(nn.Module):
    def __init__(self, n_mel=hp.n_mel_channels, dim=128, n_conv=3):
        super().__init__()
        dims = [n_mel] + [dim] * (n_conv - 1) + [n_mel]
        self.convs = nn.ModuleList([nn.Sequential(nn.Conv1d(a, b, 5, padding=2), nn.BatchNorm1d(b))
                                    for a, b in zip(dims[:-1], dims[1:])])

    def forward(self, x):
        x = x.transpose(1, 2)
        for i, c in enumerate(self.convs):
            x = c(x)
            if i < len(self.convs) - 1:
                x = F.dropout(torch.tanh(x), 0.5, self.training)
        return x.transpose(1, 2)


class FastSpeech2(nn.Module):
    def __init__(self, use_postnet=True):
        super().__init__()
        self.src_emb = nn.Embedding(len(symbols), hp.encoder_hidden, padding_idx=0)
        self.encoder = FFTStack(hp.encoder_layer, hp.encoder_head, hp.encoder_hidden, hp.encoder_dropout)
        self.variance_adaptor = VarianceAdaptor()
        self.decoder = FFTStack(hp.decoder_layer, hp.decoder_head, hp.decoder_hidden, hp.decoder_dropout)
        self.mel_linear = nn.Linear(hp.decoder_hidden, hp.n_mel_channels)
        self.use_postnet = use_postnet
        if self.use_postnet:
            self.postnet = PostNet()

    def forward(self, src_seq, src_len, mel_len=None, d_target=None, p_target=None, e_target=None,
                max_src_len=None, max_mel_len=None):
        src_mask = get_mask_from_lengths(src_len, max_src_len)
        mel_mask = get_mask_from_lengths(mel_len, max_mel_len) if mel_len is not None else None
        x = self.encoder(self.src_emb(src_seq), src_mask)
        x, d_pred, p_pred, e_pred, mel_len, mel_mask = self.variance_adaptor(
            x, src_mask, mel_mask, d_target, p_target, e_target, max_mel_len)
        x = self.decoder(x, mel_mask)
        mel = self.mel_linear(x)
        mel_postnet = self.postnet(mel) + mel if self.use_postnet else mel
        return mel, mel_postnet, d_pred, p_pred, e_pred, src_mask, mel_mask, mel_len
