import torch


class Shift:
    """A register that hands its value on one place a call: as many turns as it has places."""

    def __init__(self):
        self.a0 = None
        self.a1 = None
        self.a2 = None
        self.a3 = None
        self.a4 = None
        self.a5 = None
        self.a6 = None
        self.a7 = None
        self.a8 = None
        self.a9 = None
        self.a10 = None
        self.a11 = None
        self.a12 = None
        self.a13 = None
        self.a14 = None
        self.a15 = None
        self.a16 = None
        self.a17 = None
        self.a18 = None
        self.a19 = None

    def step(self, x):
        self.a19 = self.a18
        self.a18 = self.a17
        self.a17 = self.a16
        self.a16 = self.a15
        self.a15 = self.a14
        self.a14 = self.a13
        self.a13 = self.a12
        self.a12 = self.a11
        self.a11 = self.a10
        self.a10 = self.a9
        self.a9 = self.a8
        self.a8 = self.a7
        self.a7 = self.a6
        self.a6 = self.a5
        self.a5 = self.a4
        self.a4 = self.a3
        self.a3 = self.a2
        self.a2 = self.a1
        self.a1 = self.a0
        self.a0 = x
        return self.a19


def main():
    shift = Shift()
    for i in range(1000):
        x = torch.randn(4, 4, device="cuda") @ torch.randn(4, 4, device="cuda")
        last = shift.step(x.sum())
        if last is not None:
            print(last.item())  # sync: host-read


main()
