from dataclasses import asdict, dataclass, field
from typing import Tuple


@dataclass
class Config:
    seed: int = 2021
    n_train: int = 8
    n_val: int = 3
    volume_shape: Tuple[int, int, int] = (40, 48, 48)
    patch_size: Tuple[int, int, int] = (24, 24, 24)
    samples_per_volume: int = 8
    fg_ratio: float = 0.6
    batch_size: int = 8
    classes: Tuple[str, ...] = ("background", "liver", "tumor")
    base_channels: int = 8
    lr: float = 1e-2
    epochs: int = 4
    val_every: int = 2
    overlap: float = 0.5
    sw_batch_size: int = 4
    tta: bool = True
    deep_supervision: bool = True
    out_dir: str = "out/med3d"
    spacing: Tuple[float, float, float] = (2.0, 1.0, 1.0)

    def dump(self):
        return asdict(self)
