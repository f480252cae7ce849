import lightning.pytorch as pl
import torch
from torch.utils.data import DataLoader, random_split
from torchvision import transforms
from torchvision.datasets import MNIST

from module import LitClassifier


class GradientNorms(pl.Callback):
    def on_before_optimizer_step(self, trainer, pl_module, optimizer):
        norms = {n: p.grad.norm().item() for n, p in pl_module.named_parameters() if p.grad is not None}  # sync: host-read
        pl_module.log_dict(norms)  # sync: library-wait

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if outputs["loss"] > 10:  # missed: tensor-truth
            trainer.should_stop = True


class Data(pl.LightningDataModule):
    def __init__(self, folder="data", batch_size=64):
        super().__init__()
        self.folder = folder
        self.batch_size = batch_size

    def setup(self, stage=None):
        full = MNIST(self.folder, train=True, transform=transforms.ToTensor())
        self.train, self.val = random_split(full, [55000, 5000])
        print(full[0][0].mean().item())

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.batch_size, collate_fn=self.collate)

    def collate(self, samples):
        xs = torch.stack([s[0] for s in samples])
        return xs[xs.mean((1, 2, 3)) > 0], torch.tensor([s[1] for s in samples])


if __name__ == "__main__":
    trainer = pl.Trainer(max_epochs=10, accelerator="gpu", callbacks=[GradientNorms()])
    trainer.fit(LitClassifier(), Data())
