import torch
import torch.nn.functional as F
from torch import nn
from torch_geometric.nn import GATConv, global_mean_pool

from .pooling import TopKReadout


class GAT(torch.nn.Module):
    def __init__(self, in_channels, hidden_channels, out_channels, heads=8, layers=3, dropout=0.6):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        self.convs.append(GATConv(in_channels, hidden_channels, heads, dropout=dropout))
        for _ in range(layers - 2):
            self.convs.append(GATConv(hidden_channels * heads, hidden_channels, heads))
        self.readout = TopKReadout(hidden_channels * heads, ratio=0.5)
        self.lin = nn.Linear(hidden_channels * heads, out_channels)
        self.dropout = dropout

    def forward(self, x, edge_index, batch):
        for conv in self.convs:
            x = F.dropout(x, p=self.dropout, training=self.training)
            x = F.elu(conv(x, edge_index))  # sync: library-wait
        x, batch = self.readout(x, batch)
        return self.lin(global_mean_pool(x, batch))  # sync: library-wait
