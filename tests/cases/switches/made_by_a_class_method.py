"""A class method makes the object that its argument names, from what subclasses have registered."""
import os
import torch

ENV = os.environ.get
D = ENV("DEC", "greedy")


class Decoder:
    registry = {}

    def __init_subclass__(cls, name=None, **kw):
        super().__init_subclass__(**kw)
        if name:
            Decoder.registry[name] = cls

    @classmethod
    def build(cls, name, vocab):
        return cls.registry[name](vocab)

    def __init__(self, vocab):
        self.vocab = vocab

    def __call__(self, x):
        return [self.one(y) for y in x]


class Greedy(Decoder, name="greedy"):
    def __call__(self, x):
        return x.cpu()  # sync: copy-to-host certain


class Beam(Decoder, name="beam"):
    def one(self, x):
        return x.tolist()  # sync: host-read note


def main():
    model = torch.nn.Linear(8, 8).cuda()
    decoder = Decoder.build(D, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for i in range(100):
        loss = model(torch.randn(8, 8, device="cuda"))
        optimizer.zero_grad()
        loss.sum().backward()
        optimizer.step()
        print(decoder(loss))


main()
