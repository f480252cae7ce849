import math

import torch
from torch import nn


class SkipConnection(nn.Module):
    def __init__(self, module):
        super(SkipConnection, self).__init__()
        self.module = module

    def forward(self, input):
        return input + self.module(input)


class MultiHeadAttention(nn.Module):
    def __init__(self, n_heads, input_dim, embed_dim):
        super(MultiHeadAttention, self).__init__()
        val_dim = key_dim = embed_dim // n_heads
        self.n_heads, self.val_dim, self.embed_dim = n_heads, val_dim, embed_dim
        self.norm_factor = 1 / math.sqrt(key_dim)  # See Attention is all you need
        self.W_query = nn.Parameter(torch.Tensor(n_heads, input_dim, key_dim))
        self.W_key = nn.Parameter(torch.Tensor(n_heads, input_dim, key_dim))
        self.W_val = nn.Parameter(torch.Tensor(n_heads, input_dim, val_dim))
        self.W_out = nn.Parameter(torch.Tensor(n_heads, val_dim, embed_dim))
        self.init_parameters()

    def init_parameters(self):
        for param in self.parameters():
            stdv = 1. / math.sqrt(param.size(-1))
            param.data.uniform_(-stdv, stdv)

    def forward(self, q):
        batch_size, graph_size, input_dim = q.size()
        qflat = q.contiguous().view(-1, input_dim)
        shp = (self.n_heads, batch_size, graph_size, -1)
        Q = torch.matmul(qflat, self.W_query).view(shp)
        K = torch.matmul(qflat, self.W_key).view(shp)
        V = torch.matmul(qflat, self.W_val).view(shp)
        compatibility = self.norm_factor * torch.matmul(Q, K.transpose(2, 3))
        attn = torch.softmax(compatibility, dim=-1)
        heads = torch.matmul(attn, V)
        out = torch.mm(
            heads.permute(1, 2, 0, 3).contiguous().view(-1, self.n_heads * self.val_dim),
            self.W_out.view(-1, self.embed_dim)
        ).view(batch_size, graph_size, self.embed_dim)
        return out


class Normalization(nn.Module):
    def __init__(self, embed_dim):
        super(Normalization, self).__init__()
        self.normalizer = nn.BatchNorm1d(embed_dim, affine=True)

    def forward(self, input):
        return self.normalizer(input.view(-1, input.size(-1))).view(*input.size())


class GraphAttentionEncoder(nn.Module):
    def __init__(self, n_heads, embed_dim, n_layers, node_dim=None, feed_forward_hidden=256):
        super(GraphAttentionEncoder, self).__init__()
        self.init_embed = nn.Linear(node_dim, embed_dim)
        layers = []
        for _ in range(n_layers):
            layers += [
                SkipConnection(MultiHeadAttention(n_heads, embed_dim, embed_dim)),
                Normalization(embed_dim),
                SkipConnection(nn.Sequential(nn.Linear(embed_dim, feed_forward_hidden), nn.ReLU(),
                                             nn.Linear(feed_forward_hidden, embed_dim))),
                Normalization(embed_dim),
            ]
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        h = self.layers(self.init_embed(x))
        return h, h.mean(dim=1)  # (batch, graph, embed), average to get embedding of graph
