"""What nothing is known of is a module if it is asked for its parameters: they are on the GPU, as in training."""
import inspect

import torch

import elsewhere


def norm_of(parameters):
    total = 0.0
    for p in parameters:
        if p.grad is not None:
            total += p.grad.data.norm(2).item() ** 2  # sync: host-read
    return total**0.5


class Engine:
    def __init__(self, config):
        self.model = elsewhere.build(config)
        self.takes = inspect.signature(elsewhere.build).parameters

    def train(self, loader, optimizer):
        for x in loader:
            loss = self.model(x.cuda()).mean()  # sync: copy-to-device
            loss.backward()
            norm_of(self.model.parameters())
            for name, p in self.model.named_parameters():
                if p.norm() > 100:  # sync: tensor-truth
                    print(name)
            for name, what in self.takes.items():
                if what.default > 100:
                    print(name)
            optimizer.step()


Engine({}).train(torch.utils.data.DataLoader(elsewhere.data), elsewhere.optimizer)
