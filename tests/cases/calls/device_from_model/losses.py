import torch


class Detection:
    """Made with the model while it is built; by the time it is called, the trainer has moved the model."""

    def __init__(self, model):
        self.device = next(model.parameters()).device

    def __call__(self, preds, batch):
        targets = batch["boxes"].to(self.device)  # sync: copy-to-device
        _, counts = targets[:, 0].long().unique(return_counts=True)  # sync: dynamic-shape
        return preds.mean() + counts.sum()
