import argparse
from dataclasses import dataclass, field, fields, asdict
from typing import Optional


@dataclass
class ModelConfig:
    vocab_size: int = 600
    hidden_size: int = 64
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    intermediate_size: int = 128
    hidden_dropout_prob: float = 0.1
    max_position_embeddings: int = 64
    type_vocab_size: int = 2
    layer_norm_eps: float = 1e-12
    initializer_range: float = 0.02


@dataclass
class TrainConfig:
    train_batch_size: int = 16
    eval_batch_size: int = 16
    gradient_accumulation_steps: int = 2
    learning_rate: float = 5e-4
    warmup_proportion: float = 0.1
    max_steps: int = 24
    num_train_examples: int = 320
    seq_len: int = 48
    mlm_probability: float = 0.15
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    log_freq: int = 4
    eval_freq: int = 8
    save_freq: int = 12
    fp16: bool = True
    seed: int = 12345
    output_dir: str = "/tmp/mlm_out"
    resume_from: Optional[str] = None
    model: ModelConfig = field(default_factory=ModelConfig)


def parse_config() -> TrainConfig:
    parser = argparse.ArgumentParser()
    for f in fields(TrainConfig):
        if f.name == "model":
            continue
        if f.type in (bool, "bool"):
            parser.add_argument(f"--{f.name}", type=lambda s: s.lower() in ("1", "true", "yes"), default=f.default)
        else:
            t = f.type if f.type in (int, float, str) else str
            parser.add_argument(f"--{f.name}", type=t, default=f.default)
    return TrainConfig(**vars(parser.parse_args()))
