"""Configuration: dataclasses, YAML, overrides and checks. Names like `device`, `item` and `step` are only words."""
import dataclasses
import os
from typing import Any, Optional

import torch
import yaml


@dataclasses.dataclass
class OptimizerConfig:
    name: str = "adamw"
    lr: float = 3e-4
    betas: tuple[float, float] = (0.9, 0.95)
    warmup: int = 1000


@dataclasses.dataclass
class Config:
    run: str = "baseline"
    device: str = "cuda"
    dtype: str = "bfloat16"
    steps: int = 10_000
    batch_size: int = 32
    log_every: int = 50
    resume: Optional[str] = None
    optimizer: OptimizerConfig = dataclasses.field(default_factory=OptimizerConfig)

    @property
    def torch_dtype(self) -> torch.dtype:
        return {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}[self.dtype]

    def check(self) -> None:
        if self.steps <= 0 or self.batch_size <= 0:
            raise ValueError("steps and batch_size must be positive")
        if self.optimizer.warmup > self.steps:
            raise ValueError(f"warmup {self.optimizer.warmup} is longer than the run of {self.steps}")
        if any(beta >= 1 for beta in self.optimizer.betas):
            raise ValueError("betas")
        if self.device == "cuda" and not torch.cuda.is_available():
            self.device = "cpu"


def update(config, values: dict[str, Any]):
    for key, item in values.items():
        if not hasattr(config, key):
            raise KeyError(key)
        current = getattr(config, key)
        if dataclasses.is_dataclass(current):
            update(current, item)
        elif isinstance(current, bool):
            setattr(config, key, str(item).lower() in ("1", "true", "yes"))
        elif isinstance(current, (int, float)):
            setattr(config, key, type(current)(item))
        elif isinstance(current, tuple):
            setattr(config, key, tuple(float(x) for x in item))
        else:
            setattr(config, key, item)
    return config


def from_arguments(arguments: list[str]) -> Config:
    config = Config()
    for argument in arguments:
        if argument.endswith((".yaml", ".yml")):
            with open(argument) as file:
                update(config, yaml.safe_load(file) or {})
            continue
        key, _, value = argument.partition("=")
        *path, last = key.split(".")
        node = config
        for part in path:
            node = getattr(node, part)
        update(node, {last: yaml.safe_load(value)})
    rank = int(os.environ.get("LOCAL_RANK", 0))
    config.device = f"cuda:{rank}" if config.device == "cuda" else config.device
    config.check()
    return config


def describe(config: Config) -> str:
    lines = []
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        lines.append(f"{field.name:>12}: {value}")
    return "\n".join(lines)


def schedule(config: Config):
    for step in range(config.steps):
        scale = min(1.0, (step + 1) / config.optimizer.warmup)
        lr = config.optimizer.lr * scale
        if step % config.log_every == 0:
            print(f"{step}: {lr:.2e}")
        yield float(lr)


if __name__ == "__main__":
    import sys

    print(describe(from_arguments(sys.argv[1:])))
