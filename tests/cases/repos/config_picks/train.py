"""Classes are picked out of modules by a configuration, as `init_obj` of a well-known template does."""
import argparse
import json

import torch

import data_loaders
import nets


class Config:
    def __init__(self, path):
        self.values = json.load(open(path))

    def make(self, key, module, *args):
        return getattr(module, self.values[key]["type"])(*args, **self.values[key]["args"])

    def pick(self, key, module):
        return getattr(module, self.values[key])


class Trainer:
    def __init__(self, model, criterion, optimizer, loader, device):
        self.model, self.criterion, self.optimizer, self.loader = model.to(device), criterion, optimizer, loader
        self.device = device

    def train_epoch(self):
        for step, (data, target) in enumerate(self.loader):
            data, target = data.to(self.device), target.to(self.device)  # sync: copy-to-device, copy-to-device
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(data), target)
            loss.backward()
            self.optimizer.step()
            if step % 10 == 0:
                print(loss.item())  # sync: host-read note


def main(args):
    config = Config(args.config)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    loader = config.make("loader", data_loaders)
    model = config.make("arch", nets)
    optimizer = torch.optim.Adam(model.parameters())
    trainer = Trainer(model, config.pick("loss", nets), optimizer, loader, device)
    for _ in range(args.epochs):
        trainer.train_epoch()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    parser.add_argument("--epochs", type=int, default=3)
    main(parser.parse_args())
