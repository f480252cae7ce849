"""What runs only while a graph is traced or exported does not run in training."""
import torch
from torch import nn


class Head(nn.Module):
    def forward(self, x: torch.Tensor):
        if torch.jit.is_tracing() or torch.jit.is_scripting():
            n = int(x.sum())
        if torch.onnx.is_in_onnx_export():
            n = x.max().item()
        if torch._C._get_tracing_state():
            n = x.max().item()
        if torch.compiler.is_exporting():
            n = x.max().item()
        if not torch.jit.is_scripting():
            y = x @ x
        return y
