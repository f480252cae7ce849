"""Lightning's Trainer: a training_step that keeps its own average, and a hook that looks at the gradient."""
import lightning
import torch
from torch import nn
from torch.nn import functional as F


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 100))
        self.seen, self.largest = 0.0, 0.0

    def training_step(self, batch, index):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.seen += loss.item()
        return loss

    def on_before_optimizer_step(self, optimizer):
        norm = nn.utils.clip_grad_norm_(self.parameters(), 1.0)
        self.largest = max(self.largest, norm.item())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-5)


def main():
    lightning.seed_everything(0)
    data = torch.utils.data.TensorDataset(torch.randn(65536, 1024), torch.randint(0, 100, (65536,)))
    loader = torch.utils.data.DataLoader(data, batch_size=2048)
    trainer = lightning.Trainer(max_epochs=100000, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Classifier(), loader)


if __name__ == "__main__":
    main()
