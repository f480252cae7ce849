"""Two configurations name an option and differ: that of the class at hand counts, so the first is only possible."""
import torch
from torch import nn
from plain_config import PlainConfig
from rotary_config import RotaryConfig


class Attn(nn.Module):
    def __init__(self, size: int = 3, use_rope: bool = False):
        super().__init__()
        self.use_rope = use_rope
        self.layer = nn.Linear(size, size)

    def forward(self, x):
        if self.use_rope:
            print(x.sum().item())
        return self.layer(x)


class Block(nn.Module):
    def __init__(self, config: PlainConfig, layer_idx: int):
        super().__init__()
        self.config = config
        self.attn = Attn(size=config.size, use_rope=config.use_rope)

    def forward(self, hidden_states: torch.Tensor):
        return self.attn(hidden_states)


class BAttn(nn.Module):
    def __init__(self, size: int = 3, use_rope: bool = False):
        super().__init__()
        self.use_rope = use_rope
        self.layer = nn.Linear(size, size)

    def forward(self, x):
        if self.use_rope:
            print(x.sum().item())  # sync: host-read
        return self.layer(x)


class BBlock(nn.Module):
    def __init__(self, config: RotaryConfig, layer_idx: int):
        super().__init__()
        self.attn = BAttn(size=config.size, use_rope=config.use_rope)

    def forward(self, hidden_states: torch.Tensor):
        return self.attn(hidden_states)


class Whole(nn.Module):
    """Who hands on a configuration that nobody knows hands on what the annotation says."""

    def __init__(self, config):
        super().__init__()
        self.plain = Block(config, 0)
        self.rotary = BBlock(config, 1)

    def forward(self, x):
        return self.rotary(self.plain(x))
