"""A sequence that was sorted while it was packed is put back in order by indices that are read from the GPU."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(16, 8, batch_first=True)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(tokens, lengths, enforce_sorted=False, batch_first=True)  # sync: library-wait
        states, _ = self.rnn(packed)
        return pad_packed_sequence(states, batch_first=True)[0]  # sync: library-wait


class Sorted(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(16, 8, batch_first=True)

    def forward(self, tokens, lengths):
        states, _ = self.rnn(pack_padded_sequence(tokens, lengths, batch_first=True))
        return pad_packed_sequence(states, batch_first=True)[0]
