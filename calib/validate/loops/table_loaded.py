"""A wide-and-deep model of tables: cutting a batch out of columns on the host takes most of the step."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
rows, batch, numbers, kinds, levels, width = 400_000, 8192, 80, 12, 1000, 32
random = np.random.default_rng(0)
columns = {f"number{i}": random.standard_normal(rows, dtype=np.float32) for i in range(numbers)}
columns.update({f"kind{i}": random.integers(0, levels, rows) for i in range(kinds)})
answers = random.integers(0, 2, rows).astype(np.float32)


def cut():
    picked = random.integers(0, rows, batch)
    dense = np.stack([np.log1p(np.abs(columns[f"number{i}"][picked])) for i in range(numbers)], axis=1)
    sparse = np.stack([columns[f"kind{i}"][picked] for i in range(kinds)], axis=1)
    return torch.from_numpy(dense), torch.from_numpy(sparse), torch.from_numpy(answers[picked])


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.kinds = nn.ModuleList([nn.Embedding(levels, width) for _ in range(kinds)])
        self.norm = nn.BatchNorm1d(numbers)
        self.deep = nn.Sequential(nn.Linear(numbers + kinds * width, 1024), nn.ReLU(), nn.Dropout(0.1),
                                  nn.Linear(1024, 512), nn.ReLU(), nn.Dropout(0.1), nn.Linear(512, 1))

    def forward(self, dense, sparse):
        parts = [table(sparse[:, i]) for i, table in enumerate(self.kinds)]
        return self.deep(torch.cat([self.norm(dense)] + parts, dim=1)).squeeze(1)


model = Table().to(device)
optimizer = torch.optim.Adagrad(model.parameters(), lr=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1000)
seen = []


def train(steps):
    model.train()
    running = torch.zeros((), device=device)
    for step in range(steps):
        dense, sparse, wanted = cut()
        dense = dense.pin_memory().to(device, non_blocking=True)  #- upload
        #+ upload: dense = dense.to(device)
        sparse = sparse.pin_memory().to(device, non_blocking=True)
        wanted = wanted.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        out = model(dense, sparse)
        loss = F.binary_cross_entropy_with_logits(out, wanted)
        #+ item-forward: seen.append(loss.item())
        #+ mask: positive = out.detach()[wanted > 0.5].mean()
        loss.backward()
        #+ item-backward: seen.append(loss.item())
        optimizer.step()
        scheduler.step()
        running += loss.detach()
        #+ item-end: seen.append(loss.item())
        #+ mean: seen.append(f"{running / (step + 1):.4f}")
        #+ print: print("loss", loss.detach())
        #+ scores: seen.append(torch.sigmoid(out.detach()).cpu().numpy().mean())
        #+ three: seen.append((loss.item(), out.mean().item(), loss.item()))
        #+ tenth: if step % 10 == 0: seen.append(loss.item())


if __name__ == "__main__":
    train(1000)
