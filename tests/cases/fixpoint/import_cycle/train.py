import torch
from pkg import Base, helper_a
from pkg.b import Derived


def main():
    for i in range(10):
        x = torch.randn(4, 4, device="cuda") @ torch.randn(4, 4, device="cuda")
        Derived().run(x.sum())


main()
