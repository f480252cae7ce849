"""What a batch holds beside tensors: polylines in Python lists, an index of columns; and batches made on the GPU."""
import functools
import torch
import pytorch_lightning as pl
from torch.utils.data import DataLoader

device = torch.device("cuda")


def spaced(points: torch.Tensor, spacing: float = 5.0):
    length = torch.norm(points[1:] - points[:-1], dim=-1).sum()
    return max(2, int(torch.round(length / spacing).item()))


class Segmenter(pl.LightningModule):
    def validation_step(self, batch, batch_idx):
        heat = self.net(batch["image"])
        lines = batch["lines"]
        for line in lines:
            points = torch.tensor(line, dtype=torch.float32)
            self.total += spaced(points)
        corners = torch.tensor(batch["corners"], device=heat.device)  # missed: tensor-from-host
        self.log("corners", corners.float().mean() + heat.mean())

    def training_step(self, batch, batch_idx):
        columns = batch["columns"]
        weight = columns.get_loc("weight")
        rows = batch["rows"][:, weight : weight + 1]
        if batch["rows"].max() > 1:  # sync: tensor-truth
            rows = rows / 255
        return (self.net(batch["image"]) * rows).mean()


def pad(series, device):
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(s, device=device) for s in series])


def forecast(model, series):
    for batch in DataLoader(series, collate_fn=functools.partial(pad, device=device)):
        batch = batch.to(device).float()
        print(model(batch).shape)
