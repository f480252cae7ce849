import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim)

    def forward(self, src, src_len):
        embedded = self.embedding(src)
        packed = pack_padded_sequence(embedded, src_len.to("cpu"), enforce_sorted=False)  # sync: copy-to-host, library-wait
        outputs, hidden = self.rnn(packed)
        outputs, _ = pad_packed_sequence(outputs)  # sync: library-wait
        return outputs, hidden


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, token, hidden):
        output, hidden = self.rnn(self.embedding(token.unsqueeze(0)), hidden)
        return self.out(output.squeeze(0)), hidden


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder, device):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.device = device

    def forward(self, src, src_len, trg, teacher_forcing_ratio=0.5):
        trg_len, batch = trg.shape
        outputs = torch.zeros(trg_len, batch, self.decoder.out.out_features).to(self.device)  # sync: copy-to-device
        _, hidden = self.encoder(src, src_len)
        input = trg[0, :]
        for t in range(1, trg_len):
            output, hidden = self.decoder(input, hidden)
            outputs[t] = output
            top1 = output.argmax(1)
            input = trg[t] if random.random() < teacher_forcing_ratio else top1
        return outputs

    @torch.no_grad()
    def translate(self, src, src_len, bos, eos, max_len=50):
        _, hidden = self.encoder(src, src_len)
        token = torch.LongTensor([bos]).to(self.device)  # sync: copy-to-device
        result = []
        for _ in range(max_len):
            output, hidden = self.decoder(token, hidden)
            token = output.argmax(1)
            result.append(token.item())  # sync: host-read
            if token == eos:  # sync: tensor-truth
                break
        return result
