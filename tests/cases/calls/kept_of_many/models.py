"""More methods kept in one attribute than a value holds: what nothing in sight calls any more is called from outside."""
import torch

from comparison import compare


class Base:
    def __init__(self):
        self.net = torch.nn.Linear(4, 4).cuda()


class Model0(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model1(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model2(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model3(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model4(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model5(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model6(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out


class Model7(Base):
    def compare(self, a, b):
        return compare(self.represent, a, b)

    def represent(self, rows):
        out = []
        for row in rows:
            out.append(self.net(row.to("cuda")).cpu())  # sync: copy-to-host
        return out
