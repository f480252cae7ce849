"""Which links does a graph want? Attention over edges; the edges that are kept are known on the GPU alone."""
import torch
import torch.nn as nn
import torch.nn.functional as F

num_nodes, num_edges, feature_dim, hidden, heads = 30_000, 300_000, 256, 256, 4
device = torch.device("cuda")


class AttentionLayer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.heads, self.each = heads, outputs // heads
        self.lin = nn.Linear(inputs, outputs, bias=False)
        self.att_source = nn.Parameter(torch.randn(1, heads, outputs // heads) * 0.1)
        self.att_target = nn.Parameter(torch.randn(1, heads, outputs // heads) * 0.1)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x, edge_index):
        source, target = edge_index
        h = self.lin(x).view(-1, self.heads, self.each)
        sent, received = (h * self.att_source).sum(-1), (h * self.att_target).sum(-1)
        alpha = sent.index_select(0, source) + received.index_select(0, target)
        alpha = F.leaky_relu(alpha, 0.2).clamp(-10, 10).exp()
        total = torch.zeros(x.size(0), self.heads, device=x.device).index_add_(0, target, alpha)
        alpha = alpha / (total.index_select(0, target) + 1e-9)
        messages = h.index_select(0, source) * alpha.unsqueeze(-1)
        out = torch.zeros_like(h).index_add_(0, target, messages)
        return out.flatten(1) + self.bias


class LinkModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = AttentionLayer(feature_dim, hidden), AttentionLayer(hidden, hidden)
        self.predict = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def encode(self, x, edge_index):
        return self.conv2(F.elu(self.conv1(x, edge_index)), edge_index)

    def decode(self, z, pairs):
        return self.predict(z.index_select(0, pairs[0]) * z.index_select(0, pairs[1])).squeeze(-1)


model = LinkModel().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, weight_decay=5e-4)
x = torch.randn(num_nodes, feature_dim, device=device)
edge_lists = [torch.randint(0, num_nodes, (2, num_edges)) for _ in range(4)]
pinned = [edges.pin_memory() for edges in edge_lists]
log = []


def train(steps):
    model.train()
    for step in range(steps):
        edge_index = pinned[step % 4].to(device, non_blocking=True)  #- upload
        #+ upload: edge_index = edge_lists[step % 4].to(device)
        #+ loops: edge_index = edge_index[:, edge_index[0] != edge_index[1]]
        #+ touched: touched = torch.unique(edge_index)
        optimizer.zero_grad()
        z = model.encode(x, edge_index)
        positive = edge_index[:, :100_000]
        negative = torch.randint(0, num_nodes, (2, 100_000), device=device)
        scores = torch.cat([model.decode(z, positive), model.decode(z, negative)])
        labels = torch.cat([torch.ones(100_000, device=device), torch.zeros(100_000, device=device)])
        loss = F.binary_cross_entropy_with_logits(scores, labels)
        #+ item-forward: log.append(loss.item())
        loss.backward()
        #+ item-backward: log.append(loss.item())
        optimizer.step()
        accuracy = ((scores > 0) == labels.bool()).float().mean()
        #+ item-end: log.append(float(loss))
        #+ both: log.append((float(loss), float(accuracy)))
        #+ hard: hard = negative[:, scores[100_000:].detach() > 0.5]
        #+ scores: last = scores.detach().sigmoid().cpu().numpy()
        #+ print: print("loss", loss.detach())
        #+ tenth: if step % 10 == 0: log.append(accuracy.item())


if __name__ == "__main__":
    train(1000)
