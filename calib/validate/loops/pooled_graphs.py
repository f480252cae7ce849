"""Graphs that lose nodes from layer to layer: how many edges are left is known on the GPU alone."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
graphs, size, edges, width, classes = 64, 256, 2048, 128, 8
nodes = graphs * size


class Layer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own, self.others = nn.Linear(inputs, outputs), nn.Linear(inputs, outputs, bias=False)

    def forward(self, x, source, sink, weight):
        sent = self.others(x)[source] * weight[:, None]
        return F.relu(self.own(x) + torch.zeros(x.shape[0], sent.shape[1], device=x.device).index_add(0, sink, sent))


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer(64, width), Layer(width, width), Layer(width, width)])
        self.scores = nn.ModuleList([nn.Linear(width, 1) for _ in range(3)])
        self.head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, classes))

    def forward(self, x, source, sink, owner):
        weight = torch.ones(source.shape[0], device=x.device)
        out = 0
        for layer, score in zip(self.layers, self.scores):
            x = layer(x, source, sink, weight)
            gate = torch.sigmoid(score(x))
            x = x * gate
            kept = gate.squeeze(1) > 0.4
            weight = weight * (kept[source] & kept[sink])  #- drop-edges
            #+ drop-edges: left = kept[source] & kept[sink]; source, sink, weight = source[left], sink[left], weight[left]
            out = out + torch.zeros(graphs, width, device=x.device).index_add(0, owner, x)
        return self.head(out)


model = Pooled().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)
features = torch.randn(nodes, 64, device=device)
owner = torch.arange(graphs, device=device).repeat_interleave(size, output_size=nodes)
begins = torch.arange(graphs).repeat_interleave(edges) * size
pageable = [torch.randint(0, size, (2, graphs * edges)) + begins for _ in range(4)]
pinned = [pairs.pin_memory() for pairs in pageable]
answers = torch.randint(0, classes, (graphs,), device=device)
seen = []


def train(steps):
    model.train()
    for step in range(steps):
        source, sink = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: source, sink = pageable[step % 4].to(device)
        #+ unique: touched = torch.unique(sink)
        optimizer.zero_grad()
        out = model(features, source, sink, owner)
        loss = F.cross_entropy(out, answers)
        #+ item-forward: seen.append(loss.item())
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        right = (out.argmax(1) == answers).float().mean()
        #+ item-end: seen.append(loss.item())
        #+ predictions: last = out.argmax(1).cpu()
        #+ isolated: alone = (torch.zeros(nodes, device=device).index_fill_(0, sink, 1) == 0).nonzero()
        #+ print: print("accuracy", right)
        #+ three: seen.append((loss.item(), right.item(), out.max().item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
