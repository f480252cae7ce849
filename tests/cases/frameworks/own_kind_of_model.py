"""A Trainer whose subclass says of what kind its model is: that kind's methods are followed."""
import torch
from transformers import Trainer


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)

    def encode(self, rows):
        return self(rows.to("cuda"))  # sync: copy-to-device


class EncoderTrainer(Trainer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.model: Encoder

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        anchors = self.model.encode(torch.randn(4, 8))
        name = type(self.model).__name__
        print(name, anchors.norm())  # sync: print-tensor
        return anchors.pow(2).mean()
