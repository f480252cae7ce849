"""What a collate function returns in several parts keeps them apart: lists of names, a dict of clouds, a dict of numbers."""
import accelerate
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        points = np.load(self.files[i])
        return self.files[i], {"partial": torch.from_numpy(points[:2048]), "gt": torch.from_numpy(points)}, len(points)


def collate(rows):
    names, clouds, sizes = [], {}, {}
    for name, parts, size in rows:
        names.append(name)
        for key, value in parts.items():
            clouds.setdefault(key, []).append(value)
        sizes[name] = size
    for key, value in clouds.items():
        clouds[key] = torch.stack(value, 0)
    return names, clouds, sizes


def spread(cloud, count):
    far = torch.zeros(cloud.shape[0], count, dtype=torch.long).to(cloud.device)  # sync: copy-to-device
    distance = torch.ones(cloud.shape[0], cloud.shape[1], device=cloud.device)
    for i in range(count):
        far[:, i] = distance.argmax(-1)
    return far


class Completion(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 128)

    def forward(self, cloud):
        picked = spread(cloud, 64)
        rows = torch.gather(cloud, 1, picked.unsqueeze(-1).expand(-1, -1, 3))
        return self.first(rows)


def train(files):
    network = Completion().cuda()
    optimizer = torch.optim.Adam(network.parameters())
    loader = DataLoader(Shapes(files), batch_size=8, collate_fn=collate)
    for epoch in range(10):
        for i, (names, data, sizes) in enumerate(loader):
            for key, value in data.items():
                data[key] = value.cuda()  # sync: copy-to-device
            loss = (network(data["partial"]) - data["gt"][:, :64]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            points = sum(float(size) for size in sizes.values())
            print(names[0].upper(), points, loss.item())  # sync: host-read


def tokenized(rows):
    width = max(len(row) for row in rows)
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    return {"input_ids": ids, "attention_mask": (ids != 0).long()}


class Pairs:
    def __call__(self, rows):
        return tokenized([row[0] for row in rows]), tokenized([row[1] for row in rows]), [row[2] for row in rows]


def train_pairs(pairs, model):
    accelerator = accelerate.Accelerator()
    loader = DataLoader(pairs, batch_size=16, collate_fn=Pairs())
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for query, passage, names in loader:  # sync: copy-to-device
        loss = model(query["input_ids"].to("cuda"), passage["input_ids"].to("cuda")).mean()
        accelerator.backward(loss)
        optimizer.step()
        print(names[0], loss.item())  # sync: host-read


if __name__ == "__main__":
    train(["a.npy", "b.npy"])
    train_pairs([([1, 2], [3], "a")], nn.Bilinear(8, 8, 1))
