"""A method that answers a condition answers as its own conditions do by default."""
import torch
from torch import nn
from zconf import attr


class RunConfiguration:
    save_every = attr(type=int, default=0)
    log_every = attr(type=int, default=50)
    profile = attr(action="store_true")
    name = attr(type=str, required=True)


class Runner:
    def __init__(self, model, save_every, log_every, profile, name, shown=True):
        self.model = model
        self.save_every = save_every
        self.log_every = log_every
        self.profile = profile
        self.name = name
        self.shown = shown
        self.steps = 0

    def should_save(self) -> bool:
        """Now and then, when asked for."""
        if self.save_every == 0:
            return False
        return (self.steps + 1) % self.save_every == 0

    def should_log(self) -> bool:
        if self.log_every == 0:
            return False
        return (self.steps + 1) % self.log_every == 0

    def profiles(self):
        if self.profile:
            return True
        else:
            return False

    def named(self):
        if self.name:
            return True
        return False

    def shows(self):
        every = 3
        if not self.shown:
            return False
        return True

    def limit(self, size):
        """A branch that does not return leaves the rest to be answered."""
        limit = 0
        if size > 3:
            print("large")
        for part in range(size):
            limit = limit
        if self.profile:
            limit = size
        return limit

    def weight(self, size):
        weight = 0
        if size > 3:
            weight = size
        return weight

    def train(self, batches):
        optimizer = torch.optim.SGD(self.model.parameters(), 0.1)
        for x in batches:
            loss = self.model(x.cuda()).mean()  # sync: copy-to-device
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.steps += 1
            if self.should_save():
                print(loss.item())  # sync: host-read note
            if self.should_log():
                print(loss.item())  # sync: host-read note
            if self.profiles():
                print(loss.item())  # sync: host-read note
            if self.named():
                print(loss.item())  # sync: host-read
            if self.shows():
                print(loss.item())  # sync: host-read
            if self.limit(self.steps) > 0:
                print(loss.item())  # sync: host-read note
            if self.weight(self.steps) > 0:
                print(loss.item())  # sync: host-read


def run(args: RunConfiguration):
    runner = Runner(nn.Linear(8, 8).cuda(), save_every=args.save_every, log_every=args.log_every,
                    profile=args.profile, name=args.name)
    runner.train(torch.randn(1000, 4, 8))
