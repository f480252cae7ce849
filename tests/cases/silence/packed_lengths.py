"""pack_padded_sequence takes lengths on the CPU only, so what is passed there is on the CPU, and so is batch_sizes."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 8, batch_first=True)

    def forward(self, x, lengths):
        longest = max(lengths)
        packed = pack_padded_sequence(x, lengths, batch_first=True)
        out, _ = self.rnn(packed)
        for t in range(longest):
            size = sum([length > t for length in lengths])
            x[:size, t] = out.data[:size]
        ends = packed.batch_sizes.cumsum(0) - 1
        x[0] = out.data[ends.to(x.device)].sum()  # sync: copy-to-device
        return x, lengths.tolist()

    def loss(self, pair: tuple, targets: torch.Tensor):
        features, lengths = pair
        targets = pack_padded_sequence(targets, lengths, batch_first=True, enforce_sorted=True)[0]
        return features[: int(lengths.max())].sum()

    def hidden_size(self, data: torch.Tensor, batch_sizes: torch.Tensor | None):
        rows = int(batch_sizes[0]) if batch_sizes is not None else data.size(0)
        return (1, rows, 8)

    def sum_of_steps(self, data: torch.Tensor, batch_sizes: torch.Tensor):
        begin, total = 0, 0.0
        for size in batch_sizes.tolist():
            total += data[begin:begin + size].sum().item()  # sync: host-read
            begin += size
        return total
