"""Fake quantization with straight-through gradients (DoReFa / LSQ)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Function


class RoundSTE(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class LSQFunction(Function):
    @staticmethod
    def forward(ctx, x, alpha, g, Qn, Qp):
        ctx.save_for_backward(x, alpha)
        ctx.other = g, Qn, Qp
        return (x / alpha).round().clamp(Qn, Qp) * alpha

    @staticmethod
    def backward(ctx, grad_output):
        x, alpha = ctx.saved_tensors
        g, Qn, Qp = ctx.other
        q = x / alpha
        small = (q < Qn).float()
        big = (q > Qp).float()
        middle = 1.0 - small - big
        grad_alpha = ((small * Qn + big * Qp + middle * (q.round() - q)) * grad_output * g).sum().view(1)
        return middle * grad_output, grad_alpha, None, None, None


class ActQuant(nn.Module):
    """Unsigned activations, learned step, initialised from the first batch."""

    def __init__(self, bits):
        super(ActQuant, self).__init__()
        self.Qn, self.Qp = 0, 2 ** bits - 1
        self.alpha = nn.Parameter(torch.ones(1))
        self.register_buffer('init_state', torch.zeros(1))

    def forward(self, x):
        if self.training and self.init_state == 0:
            self.alpha.data.copy_(2 * x.detach().abs().mean() / math.sqrt(self.Qp) + 1e-6)
            self.init_state.fill_(1)
        g = 1.0 / math.sqrt(x.numel() * self.Qp)
        return LSQFunction.apply(x, self.alpha, g, self.Qn, self.Qp)


def quantize_weight(w, bits):
    # per output channel, symmetric
    qmax = 2 ** (bits - 1) - 1
    scale = w.detach().abs().flatten(1).max(dim=1)[0].clamp(min=1e-8) / qmax
    scale = scale.view(-1, *([1] * (w.dim() - 1)))
    return RoundSTE.apply(w / scale).clamp(-qmax - 1, qmax) * scale


class QConv2d(nn.Conv2d):
    def setup(self, w_bits, a_bits, quant_input=True):
        self.w_bits = w_bits
        self.act = ActQuant(a_bits) if quant_input else None
        return self

    def forward(self, x):
        if self.act is not None:
            x = self.act(x)
        return F.conv2d(x, quantize_weight(self.weight, self.w_bits), self.bias, self.stride, self.padding,
                        self.dilation, self.groups)


class QLinear(nn.Linear):
    def setup(self, w_bits, a_bits):
        self.w_bits = w_bits
        self.act = ActQuant(a_bits)
        return self

    def forward(self, x):
        return F.linear(self.act(x), quantize_weight(self.weight, self.w_bits), self.bias)


def convert_to_qat(model, w_bits, a_bits, first=True):
    """Swaps modules in place; the first conv keeps its input (an image is signed after normalization)."""
    for name, m in model.named_children():
        if isinstance(m, nn.Conv2d):
            q = QConv2d(m.in_channels, m.out_channels, m.kernel_size, m.stride, m.padding, m.dilation, m.groups,
                        m.bias is not None).setup(8 if first else w_bits, a_bits, quant_input=not first)
            first = False
        elif isinstance(m, nn.Linear):
            q = QLinear(m.in_features, m.out_features, m.bias is not None).setup(8, a_bits)
        else:
            first = convert_to_qat(m, w_bits, a_bits, first)
            continue
        q.weight.data.copy_(m.weight.data)
        if m.bias is not None:
            q.bias.data.copy_(m.bias.data)
        setattr(model, name, q.to(m.weight.device))
    return first
