"""What a program compares with texts, or makes part of a longer name, is a text, whatever an annotation says of the
mapping that it comes from."""
import torch
from torch import nn


class Rewards(nn.Module):
    def rewards(self, inputs: dict[str, torch.Tensor], completions: torch.Tensor):
        keys = [key for key in inputs[0] if key not in ["prompt", "completion"]]
        kwargs = {key: [example[key] for example in inputs] for key in keys}
        scale = completions.max().item()  # sync: host-read
        return kwargs, scale

    def forward(self, inputs: dict[str, torch.Tensor], missing: set):
        for prefix in inputs["names"]:
            missing.discard(f"{prefix}.weight")
        total = inputs["losses"].sum()
        print(f"loss {total:.3f}")  # sync: host-read
        return total
