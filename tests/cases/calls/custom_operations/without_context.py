"""An operation that sets up its context elsewhere: forward gets its operands alone, and they are on the GPU as others' are."""
import torch

from elsewhere import given


class Wrapped(torch.autograd.Function):
    @staticmethod
    def forward(angle):
        small = angle < 1e-6  # is: cuda bool likely
        out = torch.zeros_like(angle)
        out[small] = angle[small] / 6  # sync: dynamic-shape x2
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        angle, = inputs
        ctx.save_for_backward(angle)

    @staticmethod
    def backward(ctx, gradient):
        angle, = ctx.saved_tensors
        return gradient * angle


def wrap():
    return Wrapped.apply(given())
