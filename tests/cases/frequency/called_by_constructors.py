"""Helpers that only constructors or loader workers name, on paths that nothing in sight takes: nobody calls them in a loop."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def _check_correlation(matrix: torch.Tensor, features: int):
    _check_symmetric(matrix)
    torch.linalg.cholesky(matrix)
    if torch.any(matrix.diagonal() <= 0):
        raise ValueError(f"diagonal of {features} features")


def _check_symmetric(matrix: torch.Tensor):
    if not torch.allclose(matrix, matrix.T):
        raise ValueError("not symmetric")


def _whiten(rows: torch.Tensor):
    values, vectors = torch.linalg.eigh(rows.T @ rows)  # sync: linalg-check
    return rows @ vectors / values.sqrt()


def _mix(first: torch.Tensor, second: torch.Tensor):
    loud = first.abs() > 0.5
    second[loud] = first[loud]
    return first + second


class Generator(nn.Module):
    def __init__(self, features, correlation=None):
        super().__init__()
        self.features = features
        self.scale = self._make_scale(features)
        if correlation is not None:
            if isinstance(correlation, torch.Tensor):
                _check_correlation(correlation, features)
            else:
                _check_symmetric(correlation.dense())

    def _make_scale(self, features):
        return nn.Parameter(torch.ones(features))

    def forward(self, rows):
        return _whiten(rows.cuda()) * self.scale  # sync: copy-to-device


class Sounds(Dataset):
    def __init__(self, files, mixing=False):
        self.files, self.mixing = files, mixing

    def __getitem__(self, index):
        return torch.load(self.files[index])

    def __len__(self):
        return len(self.files)

    def collater(self, samples):
        wave = torch.stack(samples)
        return _mix(wave, wave.flip(0)) if self.mixing else wave


def loader_of(dataset, batch_size, padded=True):
    collate = dict(collate_fn=dataset.collater if padded else None)
    return DataLoader(dataset.parts(), batch_size=batch_size, **collate)


def train(dataset, steps):
    model = Generator(64).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _, wave in zip(range(steps), loader_of(dataset, 8)):
        optimizer.zero_grad()
        model(wave).square().mean().backward()
        optimizer.step()


train(Generator.registry["sounds"], 100)
