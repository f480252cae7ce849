"""What setup.py installs is there for others to import; what only its demo defines is not."""
import torch

from filters import Filter, smooth


class Peak(Filter):
    def peak(self):
        return self.kept.max().item()


def main():
    print(smooth(torch.ones(3)), Filter(), Peak())


if __name__ == "__main__":
    main()
