import torch
from fastai.callback.core import Callback
from mmengine.hooks import Hook


class Norms(Callback):
    def after_backward(self):
        total = sum(p.grad.norm().item() for p in self.model.parameters())  # sync: host-read
        self.learn.total = total

    def after_batch(self):
        if self.loss > 10:  # sync: tensor-truth
            print("high")

    def after_epoch(self):
        print(self.loss.item())  # sync: host-read note


class CheckLoss(Hook):
    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        if not torch.isfinite(outputs["loss"]):  # sync: tensor-truth
            raise RuntimeError("loss")
