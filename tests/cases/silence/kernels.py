"""Bodies that numba and Triton compile: their branches and loops are the GPU's own."""
import numba
import torch
import triton
import triton.language as tl
from numba import cuda


@cuda.jit()
def alphas(acts: torch.Tensor, lengths: torch.Tensor, limit):
    row = cuda.blockIdx.x
    if row < lengths[0] and acts[row, 0] > limit:
        for col in range(lengths[row]):
            acts[row, col] = acts[row, col] + 1


@numba.njit
def trace(matrix: torch.Tensor):
    total = 0.0
    for i in range(matrix.shape[0]):
        if matrix[i, i] > 0:
            total += matrix[i, i].item()
    return total


@triton.jit
def add(x: torch.Tensor, y, n, BLOCK: tl.constexpr):
    if x > 0:
        tl.store(y, tl.load(x) + 1)


def plain(x: torch.Tensor):
    if x.sum() > 0:  # sync: tensor-truth
        x = x + 1
    return x


def step(acts: torch.Tensor, lengths: torch.Tensor):
    alphas[32, 128](acts, lengths, 3)
    add[(4,)](acts, acts, 32, BLOCK=128)
    return plain(acts)
