"""What framework objects hand on: Fabric starts the program's own function with itself, a Trainer's own step gives a
loss on the GPU, metrics are the same class in whatever file of the library they are looked up."""
import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch import LightningModule
from torch.utils.data import DataLoader
from torchmetrics.aggregation import RunningMean
from torchmetrics.classification.accuracy import Accuracy
from transformers import Trainer


def fit(fabric):
    model = fabric.setup(torch.nn.Linear(128, 128))
    optimizer = fabric.setup_optimizers(torch.optim.AdamW(model.parameters()))
    loader = fabric.setup_dataloaders(DataLoader(torch.randn(1000, 128), batch_size=8))
    state = {"model": model, "optimizer": optimizer, "step": 0}
    running = RunningMean(window=16).to(fabric.device)
    for batch in loader:
        loss = F.mse_loss(model(batch), batch)
        fabric.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        running.update(loss.detach())  # sync: library-wait
        state["step"] += 1
        if state["step"] % 10 == 0:
            print(running.compute().item())  # sync: host-read note
        if state["step"] % 1000 == 0:
            fabric.save("state.ckpt", state)  # sync: copy-to-host note
            fabric.barrier()  # sync: library-wait note


def main():
    fabric = L.Fabric(devices=2, precision="bf16-true")
    fabric.launch(fit)


class Clipped(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        loss, outputs = super().compute_loss(model, inputs, return_outputs=True)
        loss = torch.where(loss > 10, loss.detach() * 0, loss)
        return (loss, outputs) if return_outputs else loss

    def training_step(self, model, inputs, num_items_in_batch=None):
        loss = super().training_step(model, inputs, num_items_in_batch)
        if loss > 10:  # sync: tensor-truth
            self.skipped += 1
        return loss


class Digits(LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(784, 10)
        self.accuracy = Accuracy(task="multiclass", num_classes=10)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.accuracy.update(self.net(x).argmax(1), y)

    def on_validation_epoch_end(self):
        accuracy = self.accuracy.compute()
        self.print(f"accuracy {accuracy:.3f}")  # sync: host-read note
        self.accuracy.reset()


if __name__ == "__main__":
    main()
