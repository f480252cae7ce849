"""A graph whose masks are written into it on the CPU and go with it to the GPU, as the examples of PyTorch Geometric do."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

device = torch.device("cuda")


def load(nodes=2708):
    data = Data(x=torch.randn(nodes, 16), edge_index=torch.randint(0, nodes, (2, 9000)), y=torch.randint(0, 7, (nodes,)))
    data.train_mask = torch.zeros(nodes, dtype=torch.bool)
    data.train_mask[:140] = True
    data.test_mask = torch.zeros(nodes, dtype=torch.bool)
    data.test_mask[1708:] = True
    return data


class GCN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(16, 7, cached=True)

    def forward(self, x, edge_index):
        return self.conv(x, edge_index)  # sync: library-wait


class Scaler(torch.nn.Module):
    """A plain tensor in an attribute of a module stays where it was made."""
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(7, 7)
        self.scale = torch.ones(7)

    def forward(self, out):
        return self.linear(out) * self.scale.to(out.device)  # sync: copy-to-device


data = load().to(device)
model = GCN().to(device)
scaler = Scaler().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def train():
    model.train()
    optimizer.zero_grad()
    out = scaler(model(data.x, data.edge_index))
    picked = out[data.train_mask]  # sync: dynamic-shape
    loss = F.cross_entropy(picked, data.y[data.train_mask])  # sync: dynamic-shape
    loss.backward()
    optimizer.step()
    return float(loss)  # sync: host-read


@torch.no_grad()
def test():
    model.eval()
    pred = model(data.x, data.edge_index).argmax(dim=-1)
    accs = []
    for mask in [data.train_mask, data.test_mask]:
        hits = pred[mask] == data.y[mask]  # sync: dynamic-shape, dynamic-shape
        accs.append(int(hits.sum()))  # sync: host-read
    return accs


for epoch in range(200):
    train()
    test()
