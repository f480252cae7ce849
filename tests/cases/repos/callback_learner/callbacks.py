import torch

from learner import CancelFit


class Callback:
    order = 0


class TrainCB(Callback):
    def __init__(self, n_inp=1):
        self.n_inp = n_inp

    def predict(self, learn):
        learn.preds = learn.model(*learn.batch[: self.n_inp])

    def get_loss(self, learn):
        learn.loss = learn.loss_func(learn.preds, *learn.batch[self.n_inp :])

    def backward(self, learn):
        learn.loss.backward()

    def step(self, learn):
        learn.opt.step()

    def zero_grad(self, learn):
        learn.opt.zero_grad()


class DeviceCB(Callback):
    def __init__(self, device="cuda"):
        self.device = device

    def before_fit(self, learn):
        learn.model.to(self.device)

    def before_batch(self, learn):
        learn.batch = [x.to(self.device) for x in learn.batch]  # sync: copy-to-device


class MetricsCB(Callback):
    order = 1

    def before_epoch(self, learn):
        self.total, self.n, self.correct = 0.0, 0, 0

    def after_batch(self, learn):
        x, y = learn.batch
        self.total += learn.loss.item() * len(x)  # sync: host-read
        self.correct += (learn.preds.argmax(1) == y).sum().item()  # sync: host-read
        self.n += len(x)

    def after_epoch(self, learn):
        print(learn.epoch, self.total / self.n, self.correct / self.n)


class StopCB(Callback):
    def after_loss(self, learn):
        if torch.isnan(learn.loss):  # sync: tensor-truth
            raise CancelFit()
