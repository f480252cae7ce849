"""Steps that Lightning calls: the loaders are the model's own, or a data module's."""
import lightning as L
import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision import datasets, transforms


class Net(pl.LightningModule):
    def __init__(self, hidden=64, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.fc = nn.Linear(784, hidden)
        self.out = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.out(F.relu(self.fc(x.view(x.size(0), -1))))

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        logits + 1  # is: cuda float likely (128, 10)
        return F.cross_entropy(logits, y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self(x) + 1  # is: cuda float likely (256, 10)

    def train_dataloader(self):
        return DataLoader(datasets.MNIST(".", transform=transforms.ToTensor()), batch_size=128, pin_memory=True)

    def val_dataloader(self):
        return DataLoader(datasets.MNIST(".", train=False, transform=transforms.ToTensor()), batch_size=256, pin_memory=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


class Data(L.LightningDataModule):
    def __init__(self, batch_size=48):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage=None):
        self.train = TensorDataset(torch.randn(1000, 16), torch.randn(1000, 1))
        self.val = TensorDataset(torch.randn(100, 16), torch.randn(100, 1))

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.batch_size, pin_memory=True)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=2 * self.batch_size, pin_memory=True)


class Small(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))

    def training_step(self, batch, batch_idx):
        x, y = batch
        out = self.net(x)
        out + 1  # is: cuda float likely (20, 1)
        return F.mse_loss(out, y)

    def validation_step(self, batch, batch_idx):
        self.net(batch[0]) + 1  # is: cuda float likely (40, 1)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


trainer = pl.Trainer(max_epochs=1)
trainer.fit(Net())
L.Trainer(max_epochs=3).fit(Small(), datamodule=Data(20))
