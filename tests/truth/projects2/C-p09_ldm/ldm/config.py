from __future__ import annotations

import dataclasses
import sys
import tempfile
from dataclasses import dataclass, field


@dataclass
class VAEConfig:
    ch: int = 32
    ch_mult: tuple = (1, 2)
    z_dim: int = 4
    kl_weight: float = 1e-4
    disc_start: int = 30
    disc_weight: float = 0.1
    epochs: int = 2
    lr: float = 1e-3


@dataclass
class UNetConfig:
    ch: int = 64
    ch_mult: tuple = (1, 2)
    n_res: int = 1
    heads: int = 4
    epochs: int = 3
    lr: float = 4e-4
    cond_drop: float = 0.1
    parameterization: str = "v"
    min_snr_gamma: float = 5.0


@dataclass
class Config:
    seed: int = 0
    image_size: int = 32
    n_classes: int = 6
    n_images: int = 1536
    batch_size: int = 32
    grad_accum: int = 1
    warmup: int = 10
    timesteps: int = 1000
    ddim_steps: int = 15
    guidance: float = 2.5
    eta: float = 0.0
    ema_decay: float = 0.995
    precision: str = "bf16"
    out: str = ""
    vae: VAEConfig = field(default_factory=VAEConfig)
    unet: UNetConfig = field(default_factory=UNetConfig)


def from_cli(argv=None) -> Config:
    """`python train.py unet.lr=1e-4 guidance=4`"""
    cfg = Config()
    for a in (sys.argv[1:] if argv is None else argv):
        key, val = a.split("=", 1)
        obj = cfg
        *path, last = key.split(".")
        for p in path:
            obj = getattr(obj, p)
        old = getattr(obj, last)
        if isinstance(old, tuple):
            new = tuple(int(v) for v in val.split(","))
        else:
            new = type(old)(val)
        setattr(obj, last, new)
    cfg.out = cfg.out or tempfile.mkdtemp(prefix="ldm-")
    return cfg


def to_dict(cfg):
    return dataclasses.asdict(cfg)
