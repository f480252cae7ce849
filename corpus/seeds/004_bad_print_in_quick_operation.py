# Article 004, "Example": slow and quick operation in turn; a print of a GPU tensor in the quick one.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--iterations", type=int, default=5)
args = parser.parse_args()


def slow_operation(x):
    for _ in range(10):
        x = torch.tanh(x @ x)
    return x


def quick_operation(x, results, i):
    count = (x > 0.5).sum()
    results[i] = count
    print(count)  # sync: print-tensor
    return results


x = torch.randn(256, 256, device="cuda")
results = torch.zeros(args.iterations, device="cuda")
for i in range(args.iterations):
    y = slow_operation(x)
    quick_operation(y, results, i)
