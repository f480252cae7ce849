"""Transformer translation: own batching by tokens, label smoothing, greedy and beam decoding, BLEU."""
import math
import os
import time

import numpy as np
import sacrebleu
import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD, BOS, EOS = 0, 1, 2


class Batch:
    def __init__(self, src, trg=None, pad=0, device="cuda"):
        src = src.to(device)  # sync: copy-to-device
        trg = trg.to(device)  # sync: copy-to-device
        self.src = src
        self.src_mask = (src != pad).unsqueeze(-2)
        if trg is not None:
            self.trg = trg[:, :-1]
            self.trg_y = trg[:, 1:]
            self.trg_mask = self.make_std_mask(self.trg, pad)
            self.ntokens = (self.trg_y != pad).data.sum()

    @staticmethod
    def make_std_mask(tgt, pad):
        tgt_mask = (tgt != pad).unsqueeze(-2)
        return tgt_mask & Variable(subsequent_mask(tgt.size(-1)).type_as(tgt_mask.data))  # sync: copy-to-device


def subsequent_mask(size):
    attn_shape = (1, size, size)
    mask = np.triu(np.ones(attn_shape), k=1).astype("uint8")
    return torch.from_numpy(mask) == 0


class LabelSmoothing(nn.Module):
    def __init__(self, size, padding_idx, smoothing=0.0):
        super(LabelSmoothing, self).__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = padding_idx
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = size

    def forward(self, x, target):
        true_dist = x.data.clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.data.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target.data == self.padding_idx)  # sync: dynamic-shape
        if mask.dim() > 0:
            true_dist.index_fill_(0, mask.squeeze(), 0.0)
        return self.criterion(x, Variable(true_dist, requires_grad=False))


class SimpleLossCompute:
    def __init__(self, generator, criterion, opt=None):
        self.generator = generator
        self.criterion = criterion
        self.opt = opt

    def __call__(self, x, y, norm):
        x = self.generator(x)
        loss = self.criterion(x.contiguous().view(-1, x.size(-1)), y.contiguous().view(-1)) / norm
        loss.backward()
        if self.opt is not None:
            self.opt.step()
            self.opt.optimizer.zero_grad()
        return loss.data.item() * norm.float()  # sync: host-read


class NoamOpt:
    def __init__(self, model_size, factor, warmup, optimizer):
        self.optimizer = optimizer
        self._step = 0
        self.warmup, self.factor, self.model_size = warmup, factor, model_size

    def step(self):
        self._step += 1
        rate = self.factor * (self.model_size**-0.5 * min(self._step**-0.5, self._step * self.warmup**-1.5))
        for p in self.optimizer.param_groups:
            p["lr"] = rate
        self.optimizer.step()


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1).float()
        div = torch.exp(torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + Variable(self.pe[:, : x.size(1)], requires_grad=False)


class Model(nn.Module):
    def __init__(self, vocab, d=512):
        super().__init__()
        self.src_embed = nn.Sequential(nn.Embedding(vocab, d), PositionalEncoding(d))
        self.tgt_embed = nn.Sequential(nn.Embedding(vocab, d), PositionalEncoding(d))
        self.core = nn.Transformer(d, 8, 6, 6, batch_first=True)
        self.generator = nn.Sequential(nn.Linear(d, vocab), nn.LogSoftmax(-1))

    def encode(self, src, src_mask):
        return self.core.encoder(self.src_embed(src))

    def decode(self, memory, src_mask, tgt, tgt_mask):
        return self.core.decoder(self.tgt_embed(tgt), memory)

    def forward(self, src, tgt, src_mask, tgt_mask):
        return self.decode(self.encode(src, src_mask), src_mask, tgt, tgt_mask)


def run_epoch(data_iter, model, loss_compute):
    start = time.time()
    total_tokens = 0
    total_loss = 0
    tokens = 0
    for i, batch in enumerate(data_iter):
        out = model.forward(batch.src, batch.trg, batch.src_mask, batch.trg_mask)
        loss = loss_compute(out, batch.trg_y, batch.ntokens)
        total_loss += loss
        total_tokens += batch.ntokens
        tokens += batch.ntokens
        if i % 50 == 1:
            elapsed = time.time() - start
            print("Epoch Step: %d Loss: %f Tokens per Sec: %f" % (i, loss / batch.ntokens, tokens / elapsed))  # sync: host-read note x2
            start = time.time()
            tokens = 0
    return total_loss / total_tokens


def greedy_decode(model, src, src_mask, max_len, start_symbol):
    memory = model.encode(src, src_mask)
    ys = torch.ones(1, 1).fill_(start_symbol).type_as(src.data)  # sync: copy-to-device
    for i in range(max_len - 1):
        out = model.decode(memory, src_mask, Variable(ys), Variable(subsequent_mask(ys.size(1)).type_as(src.data)))  # sync: copy-to-device
        prob = model.generator(out[:, -1])
        _, next_word = torch.max(prob, dim=1)
        next_word = next_word.data[0]
        ys = torch.cat([ys, torch.ones(1, 1).type_as(src.data).fill_(next_word)], dim=1)  # sync: copy-to-device
        if next_word == EOS:  # sync: tensor-truth
            break
    return ys


def beam_search(model, src, src_mask, beam=4, max_len=60):
    memory = model.encode(src, src_mask)
    beams = [([BOS], 0.0)]
    for _ in range(max_len):
        candidates = []
        for tokens, score in beams:
            if tokens[-1] == EOS:
                candidates.append((tokens, score))
                continue
            ys = torch.tensor([tokens], device=src.device)  # sync: tensor-from-host
            logp = model.generator(model.decode(memory, src_mask, ys, None)[:, -1])[0]
            values, ids = logp.topk(beam)
            for v, k in zip(values.tolist(), ids.tolist()):  # missed: host-read
                candidates.append((tokens + [k], score + v))
        beams = sorted(candidates, key=lambda c: c[1] / len(c[0]), reverse=True)[:beam]
        if all(t[-1] == EOS for t, _ in beams):
            break
    return beams[0][0]


class Pairs(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    src, trg = zip(*rows)
    return pad_sequence(src, True, PAD), pad_sequence(trg, True, PAD)


def rebatch(pad_idx, batch):
    src, trg = batch
    return Batch(src, trg, pad_idx)


def bleu(model, loader, vocab):
    model.eval()
    hyps, refs = [], []
    for src, trg in loader:
        src = src.cuda()  # sync: copy-to-device
        for row, ref in zip(src, trg):
            row = row.unsqueeze(0)
            ys = greedy_decode(model, row, (row != PAD).unsqueeze(-2), 60, BOS)
            words = []
            for i in range(1, ys.size(1)):
                sym = vocab[ys[0, i]]  # missed: host-read
                if sym == "</s>":
                    break
                words.append(sym)
            hyps.append(" ".join(words))
            refs.append(" ".join(vocab[k] for k in ref.tolist() if k > EOS))
    return sacrebleu.corpus_bleu(hyps, [refs]).score


def main():
    vocab = open("vocab.txt").read().split()
    model = Model(len(vocab)).cuda()
    criterion = LabelSmoothing(size=len(vocab), padding_idx=PAD, smoothing=0.1)
    criterion.cuda()
    train = DataLoader(Pairs("train.pt"), 64, shuffle=True, collate_fn=collate)
    valid = DataLoader(Pairs("valid.pt"), 64, collate_fn=collate)
    opt = NoamOpt(512, 1, 2000, torch.optim.Adam(model.parameters(), lr=0, betas=(0.9, 0.98), eps=1e-9))
    for epoch in range(10):
        model.train()
        run_epoch((rebatch(PAD, b) for b in train), model, SimpleLossCompute(model.generator, criterion, opt))
        model.eval()
        with torch.no_grad():
            print("bleu", bleu(model, valid, vocab))


if __name__ == "__main__":
    main()

__all__ = ["beam_search"]
