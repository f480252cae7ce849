import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from . import register_model_architecture


class SinusoidalPositionalEmbedding(nn.Module):
    def __init__(self, dim, max_len=1024):
        super().__init__()
        half = dim // 2
        emb = torch.exp(torch.arange(half, dtype=torch.float) * -(math.log(10000) / (half - 1)))
        emb = torch.arange(max_len, dtype=torch.float).unsqueeze(1) * emb.unsqueeze(0)
        self.register_buffer('weights', torch.cat([torch.sin(emb), torch.cos(emb)], dim=1))

    def forward(self, x, offset=0):
        return self.weights[offset:offset + x.size(1)].unsqueeze(0).detach()


class MultiheadAttention(nn.Module):
    def __init__(self, dim, heads, dropout=0.):
        super().__init__()
        self.dim, self.heads, self.dropout = dim, heads, dropout
        self.head_dim = dim // heads
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim)
        self.out_proj = nn.Linear(dim, dim)
        for m in (self.q_proj, self.k_proj, self.v_proj, self.out_proj):
            nn.init.xavier_uniform_(m.weight)

    def _shape(self, x):
        return x.view(x.size(0), x.size(1), self.heads, self.head_dim).transpose(1, 2)

    def forward(self, query, key, key_padding_mask=None, attn_mask=None):
        q = self._shape(self.q_proj(query)) * self.head_dim ** -0.5
        k, v = self._shape(self.k_proj(key)), self._shape(self.v_proj(key))
        w = torch.matmul(q, k.transpose(-1, -2))
        if attn_mask is not None:
            w = w + attn_mask
        if key_padding_mask is not None and key_padding_mask.any():
            w = w.masked_fill(key_padding_mask[:, None, None, :], float('-inf'))
        w = F.dropout(F.softmax(w.float(), dim=-1).type_as(w), p=self.dropout, training=self.training)
        out = torch.matmul(w, v).transpose(1, 2).contiguous().view(query.size(0), query.size(1), self.dim)
        return self.out_proj(out)


class Layer(nn.Module):
    def __init__(self, args, cross=False):
        super().__init__()
        self.self_attn = MultiheadAttention(args.embed_dim, args.heads, args.dropout)
        self.ln1 = nn.LayerNorm(args.embed_dim)
        self.cross_attn = MultiheadAttention(args.embed_dim, args.heads, args.dropout) if cross else None
        self.ln_cross = nn.LayerNorm(args.embed_dim) if cross else None
        self.fc1 = nn.Linear(args.embed_dim, args.ffn_dim)
        self.fc2 = nn.Linear(args.ffn_dim, args.embed_dim)
        self.ln2 = nn.LayerNorm(args.embed_dim)
        self.dropout = args.dropout

    def drop(self, x):
        return F.dropout(x, p=self.dropout, training=self.training)

    def forward(self, x, self_pad=None, self_mask=None, enc=None, enc_pad=None):
        h = self.ln1(x)
        x = x + self.drop(self.self_attn(h, h, self_pad, self_mask))
        if self.cross_attn is not None:
            x = x + self.drop(self.cross_attn(self.ln_cross(x), enc, enc_pad))
        return x + self.drop(self.fc2(self.drop(F.relu(self.fc1(self.ln2(x))))))


class TransformerModel(nn.Module):
    def __init__(self, args, dictionary):
        super().__init__()
        self.pad = dictionary.pad_index
        self.embed = nn.Embedding(len(dictionary), args.embed_dim, padding_idx=self.pad)
        nn.init.normal_(self.embed.weight, mean=0, std=args.embed_dim ** -0.5)
        nn.init.constant_(self.embed.weight[self.pad], 0)
        self.scale = math.sqrt(args.embed_dim)
        self.pos = SinusoidalPositionalEmbedding(args.embed_dim)
        self.enc_layers = nn.ModuleList([Layer(args) for _ in range(args.layers)])
        self.dec_layers = nn.ModuleList([Layer(args, cross=True) for _ in range(args.layers)])
        self.enc_ln = nn.LayerNorm(args.embed_dim)
        self.dec_ln = nn.LayerNorm(args.embed_dim)
        self.dropout = args.dropout
        self._future_mask = torch.empty(0)

    def buffered_future_mask(self, x):
        dim = x.size(1)
        if self._future_mask.device != x.device or self._future_mask.size(0) < dim:
            self._future_mask = torch.triu(torch.full((dim, dim), float('-inf'), device=x.device), 1)
        return self._future_mask[:dim, :dim]

    def encode(self, src_tokens):
        pad = src_tokens.eq(self.pad)
        x = self.scale * self.embed(src_tokens) + self.pos(src_tokens)
        x = F.dropout(x, p=self.dropout, training=self.training)
        for layer in self.enc_layers:
            x = layer(x, self_pad=pad)
        return self.enc_ln(x), pad

    def decode(self, prev, enc, enc_pad):
        x = self.scale * self.embed(prev) + self.pos(prev)
        x = F.dropout(x, p=self.dropout, training=self.training)
        for layer in self.dec_layers:
            x = layer(x, self_mask=self.buffered_future_mask(x), enc=enc, enc_pad=enc_pad)
        return F.linear(self.dec_ln(x), self.embed.weight)

    def forward(self, src_tokens, prev_output_tokens):
        enc, pad = self.encode(src_tokens)
        return self.decode(prev_output_tokens, enc, pad)

    def get_normalized_probs(self, net_output, log_probs):
        f = F.log_softmax if log_probs else F.softmax
        return f(net_output.float(), dim=-1)


@register_model_architecture('transformer_tiny')
def transformer_tiny(args, dictionary):
    args.embed_dim = getattr(args, 'embed_dim', 128)
    args.ffn_dim = getattr(args, 'ffn_dim', 256)
    args.heads = getattr(args, 'heads', 4)
    args.layers = getattr(args, 'layers', 2)
    return TransformerModel(args, dictionary)


@register_model_architecture('transformer_small')
def transformer_small(args, dictionary):
    args.embed_dim, args.ffn_dim, args.heads, args.layers = 256, 1024, 4, 4
    return transformer_tiny(args, dictionary)
