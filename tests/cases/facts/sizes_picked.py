"""What a size is picked from is a size, `x.view(n, size[0], size[1])`; what is picked and computed with is a tensor."""
import torch
from torch import nn


class Unembed(nn.Module):
    def forward(self, x, size, pair):
        x = x.transpose(1, 2).view(x.shape[0], -1, size[0], size[1])
        first, scale = pair[0] * 2, pair[1]
        if first.sum() > 0:  # sync: tensor-truth
            x = x * scale
        return x


class Backward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, gradient, weight, in_size, out_size):
        gradient = gradient.reshape(-1, out_size[0], out_size[1], 1)
        ctx.save_for_backward(weight)
        ctx.out_size = out_size
        return (gradient * weight).view(in_size[0], in_size[1], in_size[2], in_size[3])

    @staticmethod
    def backward(ctx, gradient):
        (weight,) = ctx.saved_tensors
        return gradient.reshape(-1, ctx.out_size[0], ctx.out_size[1], 1), None, None, None
