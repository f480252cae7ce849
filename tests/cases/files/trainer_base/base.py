"""A home-grown trainer: the loop stands here, the work in a subclass of another file."""
import torch


class BaseTrainer:
    def __init__(self, model, loader):
        self.device = torch.device("cuda")
        self.model = model.to(self.device)
        self.loader = loader
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def training_step(self, batch):
        raise NotImplementedError

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.loader:
                batch = [t.to(self.device) for t in batch]  # sync: copy-to-device
                loss = self.training_step(batch)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.on_step_end(loss)

    def on_step_end(self, loss):
        pass
