"""Methods in Python's order: a base that all mixins share comes after all of them."""
import torch
from torch.utils.data import DataLoader, TensorDataset

from protocols import Base, Loop


class Supervised(Loop, Base):
    def make_loader(self):
        self.loader = DataLoader(self.data, batch_size=32)

    def forward(self):
        x, y = self.batch
        return torch.nn.functional.mse_loss(self.model(x), y)


model = torch.nn.Linear(8, 1)
trainer = Supervised(model, TensorDataset(torch.rand(64, 8), torch.rand(64, 1)), torch.device("cuda"))
trainer.optimizer = torch.optim.SGD(model.parameters(), 0.1)
trainer.fit(3)
