"""A method whose name a program puts together may run; one that no text fits does not."""
import torch


class Meter:
    def __init__(self):
        self.kept = torch.zeros((), device="cuda")

    def read_mean(self):
        return self.kept.mean().item()  # sync: host-read

    def spread(self):
        return self.kept.std().item()


def find(meter, kind):
    return getattr(meter, f"read_{kind}")


def main(kinds):
    meter = Meter()
    for kind in kinds:
        print(find(meter, kind)())


if __name__ == "__main__":
    main(input().split())
