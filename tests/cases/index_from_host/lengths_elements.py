# Lengths that come out of a packed sequence are on the CPU; one of them is an index as a number is.
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 8)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, enforce_sorted=False)  # sync: library-wait
        out, lens = pad_packed_sequence(self.rnn(packed)[0])  # sync: library-wait
        return torch.stack([out[n - 1, i] for i, n in enumerate(lens)])
