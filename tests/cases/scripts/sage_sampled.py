"""GraphSAGE with neighbour sampling on products: PyG loaders, OGB evaluator, layer-wise inference on the host."""
import argparse
import os.path as osp
import time

import torch
import torch.nn.functional as F
from ogb.nodeproppred import Evaluator, PygNodePropPredDataset
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv
from tqdm import tqdm


class SAGE(torch.nn.Module):
    def __init__(self, in_channels, hidden_channels, out_channels, num_layers=3, dropout=0.5):
        super().__init__()
        self.num_layers = num_layers
        self.dropout = dropout
        self.convs = torch.nn.ModuleList()
        self.convs.append(SAGEConv(in_channels, hidden_channels))
        for _ in range(num_layers - 2):
            self.convs.append(SAGEConv(hidden_channels, hidden_channels))
        self.convs.append(SAGEConv(hidden_channels, out_channels))

    def reset_parameters(self):
        for conv in self.convs:
            conv.reset_parameters()

    def forward(self, x, edge_index):
        for i, conv in enumerate(self.convs):
            x = conv(x, edge_index)
            if i != self.num_layers - 1:
                x = F.dropout(F.relu(x), p=self.dropout, training=self.training)
        return x

    @torch.no_grad()
    def inference(self, x_all, subgraph_loader, device):
        pbar = tqdm(total=x_all.size(0) * self.num_layers)
        for i, conv in enumerate(self.convs):
            xs = []
            for batch in subgraph_loader:
                x = x_all[batch.n_id.cpu()].to(device)  # sync: copy-to-device
                edge_index = batch.edge_index.to(device)  # sync: copy-to-device
                x = conv(x, edge_index)
                x = x[: batch.batch_size]
                if i != self.num_layers - 1:
                    x = x.relu()
                xs.append(x.cpu())  # sync: copy-to-host
                pbar.update(batch.batch_size)
            x_all = torch.cat(xs, dim=0)
        pbar.close()
        return x_all


def train(epoch, model, loader, optimizer, data, device, n_train):
    model.train()
    pbar = tqdm(total=n_train)
    pbar.set_description(f"Epoch {epoch:02d}")
    total_loss = total_correct = total = 0
    for batch in loader:
        batch = batch.to(device)  # sync: copy-to-device
        optimizer.zero_grad()
        out = model(batch.x, batch.edge_index)[: batch.batch_size]
        y = batch.y[: batch.batch_size].view(-1).long()
        loss = F.cross_entropy(out, y)
        loss.backward()
        optimizer.step()
        total_loss += float(loss) * batch.batch_size  # sync: host-read
        total_correct += int(out.argmax(dim=-1).eq(y).sum())  # sync: host-read
        total += batch.batch_size
        pbar.update(batch.batch_size)
    pbar.close()
    return total_loss / total, total_correct / total


@torch.no_grad()
def test(model, data, subgraph_loader, evaluator, split_idx, device):
    model.eval()
    out = model.inference(data.x, subgraph_loader, device)
    y_true = data.y.cpu()  # spurious: copy-to-host note
    y_pred = out.argmax(dim=-1, keepdim=True)
    accs = []
    for split in ("train", "valid", "test"):
        accs.append(evaluator.eval({"y_true": y_true[split_idx[split]], "y_pred": y_pred[split_idx[split]]})["acc"])
    return accs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    device = f"cuda:{args.device}" if torch.cuda.is_available() else "cpu"
    device = torch.device(device)
    dataset = PygNodePropPredDataset("ogbn-products", root="data")
    split_idx = dataset.get_idx_split()
    evaluator = Evaluator(name="ogbn-products")
    data = dataset[0]
    train_idx = split_idx["train"]
    train_loader = NeighborLoader(data, input_nodes=train_idx, num_neighbors=[15, 10, 5], batch_size=1024, shuffle=True, num_workers=12)
    subgraph_loader = NeighborLoader(data, input_nodes=None, num_neighbors=[-1], batch_size=4096, num_workers=12)
    model = SAGE(dataset.num_features, 256, dataset.num_classes).to(device)
    for run in range(args.runs):
        model.reset_parameters()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
        best = 0
        for epoch in range(1, 1 + args.epochs):
            tic = time.time()
            loss, acc = train(epoch, model, train_loader, optimizer, data, device, train_idx.size(0))
            print(f"Epoch {epoch:02d}, Loss: {loss:.4f}, Approx. Train: {acc:.4f}, {time.time() - tic:.1f}s")
            if epoch > 5:
                train_acc, val_acc, test_acc = test(model, data, subgraph_loader, evaluator, split_idx, device)
                best = max(best, val_acc)
    print(best)


if __name__ == "__main__":
    main()
