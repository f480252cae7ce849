"""Trainer.compute_loss runs each step."""
from transformers import Trainer
class WeightedTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        loss = outputs.loss
        if loss > 10:  # sync: tensor-truth
            loss = loss * 0.1
        self.last = loss.item()  # sync: host-read
        return (loss, outputs) if return_outputs else loss

    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        loss, logits, labels = super().prediction_step(model, inputs, prediction_loss_only, ignore_keys)
        if loss is not None:
            self.worst = max(self.worst, loss.item())  # sync: host-read likely
        return loss, logits, labels
