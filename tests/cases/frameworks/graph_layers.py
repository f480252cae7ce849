"""Graph utilities that count their nodes, and the same told how many."""
import torch
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import degree, scatter

layer = SAGEConv(16, 16).to("cuda")
edges = torch.randint(0, 64, (2, 400), device="cuda")
for step in range(100):
    x = torch.randn(64, 16, device="cuda")
    h = layer(x, edges)
    deg = degree(edges[0])  # sync: library-wait
    deg = degree(edges[0], num_nodes=64)
    pooled = scatter(h, edges[0][:64])  # sync: library-wait
    pooled = scatter(h, edges[0][:64], dim_size=64)
    pooled.sum().backward()
