from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class DataConfig:
    num_classes: int = 6
    clip_len: int = 8
    size: int = 32
    train_clips: int = 96
    val_videos: int = 12
    clips_per_video: int = 2
    batch_size: int = 4
    num_workers: int = 0


@dataclass
class TrainConfig:
    lr: float = 1e-3
    weight_decay: float = 0.05
    epochs: int = 2
    grad_accum_steps: int = 4
    warmup_steps: int = 3
    max_grad_norm: float = 1.0
    label_smoothing: float = 0.1
    dtype: str = "bfloat16"
    compile: bool = False
    log_every: int = 2
    eval_every: int = 6
    save_every: int = 6
    out_dir: Path = Path("out/video")
    seed: int = 1337
    data: DataConfig = field(default_factory=DataConfig)

    def to_dict(self):
        d = asdict(self)
        d["out_dir"] = str(self.out_dir)
        return d
