from dataclasses import dataclass, field, fields
import argparse


@dataclass
class DistillCfg:
    temperature: float = 4.0
    alpha: float = 0.7          # weight of the soft loss
    at_weight: float = 50.0     # attention transfer


@dataclass
class PruneCfg:
    final_sparsity: float = 0.85
    start_epoch: int = 1
    end_epoch: int = 4
    every: int = 8              # steps between mask updates
    schedule: str = "cubic"     # cubic | linear | oneshot
    scope: str = "global"       # global | layer


@dataclass
class Config:
    seed: int = 7
    n_train: int = 2560
    n_val: int = 640
    batch_size: int = 128
    teacher_epochs: int = 3
    student_epochs: int = 6
    lr: float = 0.1
    weight_decay: float = 5e-4
    out: str = "runs/kd_prune"
    distill: DistillCfg = field(default_factory=DistillCfg)
    prune: PruneCfg = field(default_factory=PruneCfg)


def parse_cli(argv=None) -> Config:
    """Every leaf of the config becomes an option: --lr 0.05 --prune.final_sparsity 0.9 ..."""
    cfg = Config()
    parser = argparse.ArgumentParser()

    def add(obj, prefix=""):
        for f in fields(obj):
            v = getattr(obj, f.name)
            if hasattr(v, "__dataclass_fields__"):
                add(v, prefix + f.name + ".")
            else:
                parser.add_argument("--" + prefix + f.name, type=type(v), default=v)

    add(cfg)
    for k, v in vars(parser.parse_args(argv)).items():
        target, *rest = k.split(".")
        if rest:
            setattr(getattr(cfg, target), rest[0], v)
        else:
            setattr(cfg, target, v)
    return cfg
