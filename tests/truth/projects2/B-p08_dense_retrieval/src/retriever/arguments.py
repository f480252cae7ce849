from dataclasses import dataclass, field
from typing import Optional

from transformers import HfArgumentParser


@dataclass
class ModelArguments:
    hidden_size: int = 128
    num_layers: int = 2
    num_heads: int = 4
    pooling: str = field(default="mean", metadata={"help": "mean | cls"})
    normalize: bool = True
    temperature: float = 0.05
    learn_temperature: bool = True


@dataclass
class DataArguments:
    n_topics: int = 40
    n_passages: int = 2000
    n_queries: int = 1000
    n_test: int = 200
    q_max_len: int = 16
    p_max_len: int = 48
    train_n_neg: int = 2


@dataclass
class TrainArguments:
    rounds: int = 2
    epochs_per_round: int = 2
    batch_size: int = 32
    learning_rate: float = 5e-4
    warmup_steps: int = 10
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    gradient_accumulation_steps: int = 1
    mine_depth: int = 30
    mine_skip: int = 2
    rerank_depth: int = 20
    mixed_precision: str = "no"
    output_dir: Optional[str] = None
    seed: int = 42


def parse():
    return HfArgumentParser((ModelArguments, DataArguments, TrainArguments)).parse_args_into_dataclasses()
