"""A loader that accelerate prepared moves what its collate function makes to the GPU; of one that it did not, it is on the CPU."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from accelerate import Accelerator


def collate(rows):
    return (pad_sequence(rows, batch_first=True),)


def cycle(dl):
    while True:
        for data in dl:  # sync: copy-to-device likely
            yield data


class Trainer(nn.Module):
    def __init__(self, model, dataset, accum=4):
        super().__init__()
        self.accelerator = Accelerator()
        self.optim = torch.optim.Adam(model.parameters())
        self.accum = accum
        self.dl = DataLoader(dataset, batch_size=4, shuffle=True, collate_fn=collate)
        self.valid_dl = DataLoader(dataset, batch_size=4, collate_fn=collate)
        self.model, self.optim, self.dl = self.accelerator.prepare(model, self.optim, self.dl)
        self.dl_iter = cycle(self.dl)
        self.valid_iter = cycle(self.valid_dl)

    @property
    def device(self):
        return self.accelerator.device

    def train_step(self):
        device = self.device
        for i in range(self.accum):
            wave, = next(self.dl_iter)
            wave = wave.to(device)
            loss = self.model(wave)
            self.accelerator.backward(loss)
        self.optim.step()
        held, = next(self.valid_iter)
        held = held.to(device)  # sync: copy-to-device
        return self.model(held)

    def train(self):
        for step in range(1000):
            self.train_step()
