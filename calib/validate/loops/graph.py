"""Message passing on graphs: gather by index, a linear map, add by index."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
nodes, edges, width, layers, classes, graphs = 40_000, 320_000, 192, 4, 16, 4


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.message = nn.Linear(2 * width, width)
        self.update = nn.GRUCell(width, width)

    def forward(self, x, source, sink):
        message = F.relu(self.message(torch.cat([x[source], x[sink]], dim=1)))
        gathered = torch.zeros_like(x).index_add_(0, sink, message)
        return self.update(gathered, x)


class Graphs(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(layers)])
        self.head = nn.Linear(width, classes)

    def forward(self, x, source, sink):
        for layer in self.layers:
            x = layer(x, source, sink)
        return self.head(x)


model = Graphs().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, weight_decay=1e-4)
features = torch.randn(nodes, width, device=device)
labels = torch.randint(0, classes, (nodes,), device=device)
known = torch.rand(nodes, device=device) < 0.6
train_nodes = known.nonzero().squeeze(1)
pinned = [torch.randint(0, nodes, (2, edges)).pin_memory() for _ in range(graphs)]
pageable = [torch.randint(0, nodes, (2, edges)) for _ in range(graphs)]
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        source, sink = pinned[step % graphs].to(device, non_blocking=True)  #- upload
        #+ upload: source, sink = pageable[step % graphs].to(device)
        #+ degrees: degrees = torch.bincount(sink, minlength=nodes)
        optimizer.zero_grad()
        out = model(features, source, sink)
        loss = F.cross_entropy(out[train_nodes], labels[train_nodes])  #- mask-loss
        #+ mask-loss: loss = F.cross_entropy(out[known], labels[known])
        #+ item-forward: seen.append(loss.item())
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        right = (out.argmax(1) == labels).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ print: print("loss", loss.detach())
        #+ predictions: last = out.argmax(1).cpu()
        #+ three: seen.append((loss.item(), right.item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
