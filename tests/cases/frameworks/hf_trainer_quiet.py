"""The same kept on the GPU, with host numbers logged."""
import torch
from transformers import Trainer
class WeightedTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        loss = outputs.loss
        loss = torch.where(loss > 10, loss * 0.1, loss)
        self.last = loss.detach()
        self.log({"epoch": float(self.state.epoch or 0)})
        return (loss, outputs) if return_outputs else loss
