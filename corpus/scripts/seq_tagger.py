"""BiLSTM tagger over padded sentences of different length, with a CRF-like transition penalty."""
import argparse
import random
import sys
from collections import Counter

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

PAD, TAG_PAD = 0, -100
USE_GPU = torch.cuda.is_available()


class Vocab:
    def __init__(self, sentences):
        counts = Counter(w for s in sentences for w, _ in s)
        self.itos = ["<pad>", "<unk>"] + sorted(counts)
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __call__(self, words):
        return [self.stoi.get(w, 1) for w in words]

    def __len__(self):
        return len(self.itos)


def make_sentences(n, seed):
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        length = rng.randint(3, 20)
        words = [f"w{rng.randint(0, 300)}" for _ in range(length)]
        out.append([(w, int(w[1:]) % 5) for w in words])
    return out


def batches(sentences, vocab, size, shuffle):
    order = list(range(len(sentences)))
    if shuffle:
        random.shuffle(order)
    for i in range(0, len(order), size):
        chunk = [sentences[j] for j in order[i:i + size]]
        words = [torch.tensor(vocab([w for w, _ in s])) for s in chunk]
        tags = [torch.tensor([t for _, t in s]) for s in chunk]
        lengths = torch.tensor([len(s) for s in chunk])
        words = pad_sequence(words, batch_first=True, padding_value=PAD)
        tags = pad_sequence(tags, batch_first=True, padding_value=TAG_PAD)
        if USE_GPU:
            words, tags, lengths = words.cuda(), tags.cuda(), lengths.cuda()  # sync: copy-to-device x3
        yield words, tags, lengths


class Tagger(nn.Module):
    def __init__(self, vocab_size, n_tags, emb=48, hidden=64):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, emb, padding_idx=PAD)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, n_tags)
        self.trans = nn.Parameter(torch.zeros(n_tags, n_tags))

    def forward(self, words, lengths):
        e = self.emb(words)
        packed = pack_padded_sequence(e, lengths.cpu(), batch_first=True, enforce_sorted=False)  # sync: library-wait, copy-to-host
        h, _ = self.lstm(packed)
        h, out_lengths = pad_packed_sequence(h, batch_first=True)  # sync: library-wait
        assert h.size(1) == int(out_lengths.max())
        return self.fc(h)

    def penalty(self, logits, lengths):
        p = logits.softmax(-1)
        total = 0
        for b in range(logits.size(0)):
            seq = p[b, :lengths[b]]  # sync: host-read
            total = total + torch.einsum("ti,ij,tj->", seq[:-1], self.trans, seq[1:])
        return total / logits.size(0)


def sequence_mask(lengths, max_len=None):
    if max_len is None:
        max_len = lengths.max().item()  # sync: host-read
    return torch.arange(max_len, device=lengths.device)[None, :] < lengths[:, None]


def token_accuracy(logits, tags):
    pred = logits.argmax(-1)
    m = tags.ne(TAG_PAD)
    return pred[m].eq(tags[m]).float().mean()  # sync: dynamic-shape x2


def f1_per_tag(all_pred, all_gold, n_tags):
    scores = {}
    for t in range(n_tags):
        tp = sum(1 for p, g in zip(all_pred, all_gold) if p == g == t)
        fp = sum(1 for p, g in zip(all_pred, all_gold) if p == t != g)
        fn = sum(1 for p, g in zip(all_pred, all_gold) if g == t != p)
        scores[t] = 2 * tp / max(1, 2 * tp + fp + fn)
    return scores


def predict(model, sentences, vocab, batch_size):
    all_pred, all_gold = [], []
    model.eval()
    with torch.no_grad():
        for words, tags, lengths in batches(sentences, vocab, batch_size, shuffle=False):
            pred = model(words, lengths).argmax(-1)
            mask = sequence_mask(lengths)
            flat = torch.masked_select(pred, mask)  # sync: dynamic-shape
            all_pred.extend(flat.tolist())  # sync: host-read
            all_gold.extend(tags[mask].cpu().tolist())  # sync: dynamic-shape, copy-to-host
    return all_pred, all_gold


def run(opts):
    random.seed(opts.seed)
    torch.manual_seed(opts.seed)
    train_set, dev_set = make_sentences(opts.sentences, 1), make_sentences(opts.sentences // 10, 2)
    vocab = Vocab(train_set)
    model = Tagger(len(vocab), 5)
    if USE_GPU:
        model = model.cuda()
    crit = nn.CrossEntropyLoss(ignore_index=TAG_PAD)
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(optim, patience=1)
    for ep in range(opts.epochs):
        model.train()
        accs, epoch_loss = [], 0
        for n, (words, tags, lengths) in enumerate(batches(train_set, vocab, opts.batch_size, True)):
            out = model(words, lengths)
            loss = crit(out.flatten(0, 1), tags.flatten()) + 0.01 * model.penalty(out, lengths)
            optim.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optim.step()
            accs.append(token_accuracy(out.detach(), tags))
            epoch_loss = epoch_loss + loss.detach()
            if n % 20 == 19:
                print("  batch", n + 1, "acc", torch.stack(accs[-20:]).mean())  # sync: print-tensor note
        sched.step(epoch_loss / (n + 1))  # sync: library-wait note
        pred, gold = predict(model, dev_set, vocab, opts.batch_size)
        f1 = f1_per_tag(pred, gold, 5)
        print(f"epoch {ep} macro F1 {sum(f1.values()) / len(f1):.3f}", file=sys.stderr)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--sentences", type=int, default=2000)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--seed", type=int, default=3)
    run(ap.parse_args())
