"""What a callee runs backward from is a loss, wherever the call stands; what steps an optimizer runs in a loop."""
import torch
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler


def backward(total, scaler):
    if scaler is not None:
        scaler.scale(total).backward()
    else:
        total.backward()


def train_one_epoch(loader, objective, optimizer, scaler, meters):
    for batch in loader:
        optimizer.zero_grad()
        losses = objective(batch)
        total = sum(losses.values())
        losses["total"] = total
        backward(total, scaler)
        optimizer.step()
        for key, value in losses.items():
            meters[key] = value.item()  # sync: host-read


class Runner:
    def backward(self, loss):
        loss.backward()

    def epoch(self, loader, objective, optimizer):
        for batch in loader:
            loss = objective(batch)
            self.backward(loss=loss)
            optimizer.step()
            print(loss.item())  # sync: host-read


class Precision:
    def __init__(self):
        self.scaler = ShardedGradScaler()

    def optimizer_step(self, optimizer, **kwargs):
        result = self.scaler.step(optimizer, **kwargs)  # sync: grad-scaler
        self.scaler.update()
        return result


def not_a_loss(values, objective):
    for value in values:
        score = objective(value)
        if score.item() > 0.5:  # only possible: nothing says where it is
            print("good")
