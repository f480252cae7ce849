"""Custom operations: `apply` runs forward with what it is given, and backward reads what forward kept. Sizes and options
that go that way are Python numbers still."""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Upsample(Function):
    @staticmethod
    def forward(ctx, image, kernel, up, padding):
        up_x, up_y = up
        left, right = padding
        batch, channels, height, width = image.shape
        ctx.in_size = image.shape
        ctx.out_size = (height * up_y + left, width * up_x + right)
        ctx.scale = 1.0 / (left + 1)
        ctx.save_for_backward(kernel, image > 0)
        return image.new_zeros(batch, channels, ctx.out_size[0], ctx.out_size[1])

    @staticmethod
    def backward(ctx, grad):
        kernel, mask = ctx.saved_tensors
        sizes = ctx.in_size
        grad = grad.reshape(-1, ctx.out_size[0], ctx.out_size[1], 1)
        if ctx.scale > 1:
            grad = grad * ctx.scale
        if mask.any():  # sync: tensor-truth
            grad = grad * kernel.sum()
        return grad.view(sizes[0], sizes[1], sizes[2], sizes[3]), None, None, None


class Dropped(Function):
    @staticmethod
    @custom_fwd(device_type="cuda")
    def forward(ctx, x, p, training):
        ctx.p = p
        ctx.training = training
        if not training or p <= 0:
            return x
        keep = torch.rand_like(x) > p
        ctx.save_for_backward(keep)
        return x * keep

    @staticmethod
    @once_differentiable
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        if not ctx.training or ctx.p <= 0:
            return grad, None, None
        (keep,) = ctx.saved_tensors
        rows = grad[keep]  # sync: dynamic-shape
        return grad * keep * rows.numel(), None, None


class Clamped(Function):
    """The newer way: forward has no context."""

    @staticmethod
    def forward(x, limit):
        return x.clamp(max=limit)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, limit = inputs
        ctx.limit = limit
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if ctx.limit > 1:
            return grad, None
        if x.min() < 0:  # sync: tensor-truth note
            return -grad, None
        return grad, None


upsample = Upsample.apply


class Blur(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.ones(3, 3))
        self.p = 0.1

    def forward(self, x):
        x = upsample(x, self.kernel, (2, 2), (1, 1))
        x = Dropped.apply(x, self.p, self.training)
        x = Clamped.apply(x, 6)
        print(x.mean())  # sync: print-tensor
        return x


def train(model: nn.Module, loader, optimizer):
    model.cuda()
    for x in loader:
        loss = model(x.cuda()).sum()  # sync: copy-to-device
        loss.backward()
        optimizer.step()


class Root(Function):
    """Called by what nobody in sight calls: the operands of a custom operation are tensors on the GPU, by convention."""

    @staticmethod
    def forward(ctx, matrix):
        values, vectors = torch.linalg.eigh(matrix)  # sync: linalg-check
        ctx.save_for_backward(values, vectors)
        return vectors @ values.sqrt().diag_embed() @ vectors.transpose(-2, -1)


def distance(left, right):
    return Root.apply(left.mT @ right).diagonal().sum()


class ShrinkBackward(Function):
    @staticmethod
    def forward(ctx, grad, sizes, factor):
        if factor > 2:
            grad = grad * factor
        return grad.view(sizes[0], sizes[1])


class Shrink(Function):
    """A backward that applies another operation, which stands above it."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.sizes = x.shape
        ctx.factor = factor
        return x[:, ::factor]

    @staticmethod
    def backward(ctx, grad):
        return ShrinkBackward.apply(grad, ctx.sizes, ctx.factor), None


def shrink(x: torch.Tensor, factor: int = 2):
    return Shrink.apply(x, factor)
