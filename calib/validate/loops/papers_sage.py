"""Papers of a citation graph are classified by GraphSAGE of PyTorch Geometric; who is in the training set a mask says."""
import torch
import torch.nn.functional as F
from torch_geometric.nn import SAGEConv

NUM_NODES = 60_000
NUM_EDGES = 1_500_000
IN_CHANNELS, HIDDEN, OUT_CHANNELS = 128, 256, 40
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class SAGE(torch.nn.Module):
    def __init__(self, in_channels, hidden_channels, out_channels, num_layers=3, dropout=0.5):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        self.bns = torch.nn.ModuleList()
        self.convs.append(SAGEConv(in_channels, hidden_channels))
        self.bns.append(torch.nn.BatchNorm1d(hidden_channels))
        for _ in range(num_layers - 2):
            self.convs.append(SAGEConv(hidden_channels, hidden_channels))
            self.bns.append(torch.nn.BatchNorm1d(hidden_channels))
        self.convs.append(SAGEConv(hidden_channels, out_channels))
        self.dropout = dropout

    def forward(self, x, edge_index):
        for conv, bn in zip(self.convs[:-1], self.bns):
            x = conv(x, edge_index)
            x = bn(x)
            x = F.relu(x)
            x = F.dropout(x, p=self.dropout, training=self.training)
        return self.convs[-1](x, edge_index)


x = torch.randn(NUM_NODES, IN_CHANNELS, device=device)
y = torch.randint(0, OUT_CHANNELS, (NUM_NODES,), device=device)
edge_index = torch.randint(0, NUM_NODES, (2, NUM_EDGES), device=device)
train_mask = torch.rand(NUM_NODES, device=device) < 0.5
train_idx = train_mask.nonzero().squeeze(1)
x_cpu = x.cpu()
model = SAGE(IN_CHANNELS, HIDDEN, OUT_CHANNELS).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)
results = []


def train(steps):
    model.train()
    for epoch in range(steps):
        optimizer.zero_grad()
        features = x  #- upload
        #+ upload: features = x_cpu.to(device)
        out = model(features, edge_index)
        loss = F.cross_entropy(out[train_idx], y[train_idx])  #- masked
        #+ masked: loss = F.cross_entropy(out[train_mask], y[train_mask])
        #+ item-forward: results.append(loss.item())
        loss.backward()
        #+ item-backward: results.append(loss.item())
        optimizer.step()
        #+ item-end: results.append(float(loss))
        pred = out.argmax(dim=-1)
        #+ accuracy: results.append(int((pred[train_idx] == y[train_idx]).sum()) / NUM_NODES)
        #+ wrong: wrong = (pred != y).nonzero(as_tuple=True)[0]
        #+ scores: scores = out.detach().softmax(dim=-1).cpu()
        #+ present: present = torch.unique(pred)
        #+ print: print("Loss:", loss.detach())
        #+ tenth: if epoch % 10 == 0: print(f"Epoch: {epoch:02d}, Loss: {loss:.4f}")


if __name__ == "__main__":
    train(1000)
