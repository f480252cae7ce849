"""What a function reads of its own list it reads behind what it writes there: looked at again because of the attribute,
it is not looked at a third time because of the list."""

import torch


class Keeper:
    def __init__(self):
        self.kept = None

    def gather(self):
        parts = []
        parts.append(self.kept)
        return parts[0]

    def keep(self, x):
        self.kept = torch.zeros(3, device="cuda") + x


def look(keeper):
    keeper.gather()


keeper = Keeper()
look(keeper)
keeper.keep(1)
for step in range(1000):
    print(keeper.gather().sum().item())  # sync: host-read
