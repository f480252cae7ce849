# options: --min-confidence possible
"""What a model embeds data sets with is no code for data."""
from torch import Tensor, nn


class DatasetEmbedding(nn.Module):
    def __init__(self, names: list[str], width: int):
        super().__init__()
        self.rows = nn.Embedding(len(names), width)

    def lookup(self, of: Tensor) -> Tensor:
        if (of < 0).any():  # sync: tensor-truth likely
            raise ValueError("not a data set")
        return self.rows(of)
