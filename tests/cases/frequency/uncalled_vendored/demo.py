"""What an installer put there has other users than its demo; what only the demo defines has none."""
import torch

from filters import Filter, smooth


class Peak(Filter):
    def peak(self):
        return self.kept.max().item()


def main():
    print(smooth(torch.ones(3)), Filter(), Peak())


if __name__ == "__main__":
    main()
