# -*- coding: utf-8 -*-
"""
Neural machine translation with attention.

Started from the pytorch tutorial (translation with a seq2seq network), then moved to minibatches,
packed sequences and beam search. `python train.py` should just work.
"""
from __future__ import unicode_literals, print_function, division

import math
import os
import random
import re
import time
import unicodedata

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.nn.utils import clip_grad_norm_
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

PAD_token = 0
SOS_token = 1
EOS_token = 2
UNK_token = 3

MAX_LENGTH = 10
HIDDEN = 64
EMB = 32
BATCH_SIZE = 16
N_EPOCHS = 3
N_PAIRS = 260
PRINT_EVERY = 4
TEACHER_FORCING = 0.7
CLIP = 5.0
BEAM = 3
SAVE_DIR = '/tmp/seq2seq_ckpt'

random.seed(12)
torch.manual_seed(12)


class Lang:
    def __init__(self, name):
        self.name = name
        self.word2index = {}
        self.word2count = {}
        self.index2word = {0: "PAD", 1: "SOS", 2: "EOS", 3: "UNK"}
        self.n_words = 4

    def addSentence(self, sentence):
        for word in sentence.split(' '):
            self.addWord(word)

    def addWord(self, word):
        if word not in self.word2index:
            self.word2index[word] = self.n_words
            self.word2count[word] = 1
            self.index2word[self.n_words] = word
            self.n_words += 1
        else:
            self.word2count[word] += 1


def unicodeToAscii(s):
    return ''.join(c for c in unicodedata.normalize('NFD', s) if unicodedata.category(c) != 'Mn')


def normalizeString(s):
    s = unicodeToAscii(s.lower().strip())
    s = re.sub(r"([.!?])", r" \1", s)
    s = re.sub(r"[^a-zA-Z.!?]+", r" ", s)
    return s


def readLangs(n):
    """ eng-fra.txt is too big for the repo, so build a toy grammar with word order changes """
    subj = [('i', 'je'), ('you', 'tu'), ('he', 'il'), ('she', 'elle'), ('we', 'nous'), ('they', 'ils')]
    verb = [('see', 'voir'), ('like', 'aimer'), ('take', 'prendre'), ('find', 'trouver'), ('lose', 'perdre')]
    adj = [('red', 'rouge'), ('big', 'grand'), ('small', 'petit'), ('old', 'vieux'), ('strange', 'étrange')]
    noun = [('cat', 'chat'), ('book', 'livre'), ('house', 'maison'), ('dog', 'chien'), ('tree', 'arbre')]
    lines = []
    for _ in range(n):
        s, v, a, o = [random.choice(x) for x in (subj, verb, adj, noun)]
        if random.random() < 0.5:
            lines.append(['%s %s the %s %s.' % (s[0], v[0], a[0], o[0]), '%s %s le %s %s.' % (s[1], v[1], o[1], a[1])])
        else:
            lines.append(['%s %s the %s!' % (s[0], v[0], o[0]), '%s le %s %s!' % (s[1], o[1], v[1])])
    return [[normalizeString(s) for s in l] for l in lines]


def prepareData(n):
    pairs = readLangs(n)
    pairs = [p for p in pairs if len(p[0].split(' ')) < MAX_LENGTH and len(p[1].split(' ')) < MAX_LENGTH]
    print("Trimmed to %s sentence pairs" % len(pairs))
    input_lang, output_lang = Lang('eng'), Lang('fra')
    for pair in pairs:
        input_lang.addSentence(pair[0])
        output_lang.addSentence(pair[1])
    print("Counted words:")
    print(input_lang.name, input_lang.n_words)
    print(output_lang.name, output_lang.n_words)
    return input_lang, output_lang, pairs


def indexesFromSentence(lang, sentence):
    return [lang.word2index.get(word, UNK_token) for word in sentence.split(' ')] + [EOS_token]


def pad_seq(seq, max_length):
    return seq + [PAD_token] * (max_length - len(seq))


def make_batch(pairs, in_lang, out_lang):
    seqs = sorted([(indexesFromSentence(in_lang, p[0]), indexesFromSentence(out_lang, p[1])) for p in pairs],
                  key=lambda p: len(p[0]), reverse=True)
    src, tgt = zip(*seqs)
    src_len = [len(s) for s in src]
    tgt_len = [len(s) for s in tgt]
    src_padded = [pad_seq(s, max(src_len)) for s in src]
    tgt_padded = [pad_seq(s, max(tgt_len)) for s in tgt]
    src_var = torch.LongTensor(src_padded).transpose(0, 1).to(device)
    tgt_var = torch.LongTensor(tgt_padded).transpose(0, 1).to(device)
    return src_var, src_len, tgt_var, tgt_len


class EncoderRNN(nn.Module):
    def __init__(self, input_size, emb_size, hidden_size, n_layers=1, dropout=0.1):
        super(EncoderRNN, self).__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, emb_size, padding_idx=PAD_token)
        self.dropout = nn.Dropout(dropout)
        self.gru = nn.GRU(emb_size, hidden_size, n_layers, bidirectional=True)

    def forward(self, input_seqs, input_lengths, hidden=None):
        embedded = self.dropout(self.embedding(input_seqs))
        packed = pack_padded_sequence(embedded, input_lengths)
        outputs, hidden = self.gru(packed, hidden)
        outputs, _ = pad_packed_sequence(outputs)
        # sum bidirectional outputs
        outputs = outputs[:, :, :self.hidden_size] + outputs[:, :, self.hidden_size:]
        hidden = hidden[:1] + hidden[1:2]
        return outputs, hidden


class Attn(nn.Module):
    """ Bahdanau style, concat """

    def __init__(self, hidden_size):
        super(Attn, self).__init__()
        self.attn = nn.Linear(hidden_size * 2, hidden_size)
        self.v = nn.Parameter(torch.rand(hidden_size))
        stdv = 1. / math.sqrt(self.v.size(0))
        self.v.data.normal_(mean=0, std=stdv)

    def forward(self, hidden, encoder_outputs, mask=None):
        T = encoder_outputs.size(0)
        h = hidden.repeat(T, 1, 1).transpose(0, 1)
        enc = encoder_outputs.transpose(0, 1)  # [B*T*H]
        energy = torch.tanh(self.attn(torch.cat([h, enc], 2)))
        energy = torch.matmul(energy, self.v)  # [B*T]
        if mask is not None:
            energy = energy.masked_fill(mask, -1e9)
        return F.softmax(energy, dim=1).unsqueeze(1)


class AttnDecoderRNN(nn.Module):
    def __init__(self, output_size, emb_size, hidden_size, dropout=0.1):
        super(AttnDecoderRNN, self).__init__()
        self.output_size = output_size
        self.embedding = nn.Embedding(output_size, emb_size)
        self.dropout = nn.Dropout(dropout)
        self.attn = Attn(hidden_size)
        self.gru = nn.GRU(hidden_size + emb_size, hidden_size)
        self.out = nn.Linear(hidden_size * 2, output_size)

    def forward(self, word_input, last_hidden, encoder_outputs, mask=None):
        embedded = self.dropout(self.embedding(word_input)).unsqueeze(0)
        attn_weights = self.attn(last_hidden[-1], encoder_outputs, mask)
        context = attn_weights.bmm(encoder_outputs.transpose(0, 1)).transpose(0, 1)
        rnn_input = torch.cat((embedded, context), 2)
        output, hidden = self.gru(rnn_input, last_hidden)
        output = self.out(torch.cat([output.squeeze(0), context.squeeze(0)], 1))
        return F.log_softmax(output, dim=1), hidden, attn_weights


def maskNLLLoss(inp, target, mask):
    nTotal = mask.sum()
    crossEntropy = -torch.gather(inp, 1, target.view(-1, 1)).squeeze(1)
    loss = crossEntropy.masked_select(mask).mean() if nTotal > 0 else crossEntropy.sum() * 0
    return loss, nTotal.item()


def train(batch, encoder, decoder, encoder_optimizer, decoder_optimizer):
    src, src_len, tgt, tgt_len = batch
    encoder.train()
    decoder.train()
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()

    loss = 0
    print_losses = []
    n_totals = 0

    encoder_outputs, encoder_hidden = encoder(src, src_len)
    batch_size = src.size(1)
    src_mask = (src == PAD_token).t()
    decoder_input = torch.LongTensor([SOS_token] * batch_size).to(device)
    decoder_hidden = encoder_hidden

    use_teacher_forcing = True if random.random() < TEACHER_FORCING else False
    for t in range(max(tgt_len)):
        decoder_output, decoder_hidden, _ = decoder(decoder_input, decoder_hidden, encoder_outputs, src_mask)
        if use_teacher_forcing:
            decoder_input = tgt[t]
        else:
            _, topi = decoder_output.topk(1)
            decoder_input = torch.LongTensor([topi[i][0] for i in range(batch_size)]).to(device)
        mask_loss, nTotal = maskNLLLoss(decoder_output, tgt[t], tgt[t] != PAD_token)
        loss += mask_loss
        print_losses.append(mask_loss.item() * nTotal)
        n_totals += nTotal

    loss.backward()
    clip_grad_norm_(encoder.parameters(), CLIP)
    clip_grad_norm_(decoder.parameters(), CLIP)
    encoder_optimizer.step()
    decoder_optimizer.step()
    return sum(print_losses) / n_totals


def greedy_decode(encoder, decoder, in_lang, out_lang, sentence):
    with torch.no_grad():
        idx = indexesFromSentence(in_lang, sentence)
        src = torch.tensor(idx, dtype=torch.long, device=device).view(-1, 1)
        encoder_outputs, hidden = encoder(src, [len(idx)])
        decoder_input = torch.tensor([SOS_token], device=device)
        decoded_words = []
        attentions = torch.zeros(MAX_LENGTH + 1, MAX_LENGTH + 1)
        for di in range(MAX_LENGTH):
            out, hidden, attn = decoder(decoder_input, hidden, encoder_outputs)
            attentions[di, :attn.size(2)] += attn.squeeze(0).squeeze(0).cpu().data
            topv, topi = out.data.topk(1)
            if topi.item() == EOS_token:
                decoded_words.append('<EOS>')
                break
            decoded_words.append(out_lang.index2word[topi.item()])
            decoder_input = topi.squeeze(1).detach()
        return decoded_words, attentions[:di + 1]


def beam_decode(encoder, decoder, in_lang, out_lang, sentence, k=BEAM):
    with torch.no_grad():
        idx = indexesFromSentence(in_lang, sentence)
        src = torch.tensor(idx, device=device).view(-1, 1)
        enc, hidden = encoder(src, [len(idx)])
        beams = [([SOS_token], 0.0, hidden)]
        finished = []
        for _ in range(MAX_LENGTH):
            candidates = []
            for toks, score, h in beams:
                inp = torch.tensor([toks[-1]], device=device)
                logp, h2, _ = decoder(inp, h, enc)
                topv, topi = logp.topk(k)
                for j in range(k):
                    candidates.append((toks + [topi[0, j].item()], score + topv[0][j].item(), h2))
            candidates.sort(key=lambda c: c[1] / len(c[0]), reverse=True)
            beams = []
            for c in candidates[:k]:
                if c[0][-1] == EOS_token:
                    finished.append(c)
                else:
                    beams.append(c)
            if not beams:
                break
        best = max(finished + beams, key=lambda c: c[1] / len(c[0]))
    return [out_lang.index2word[t] for t in best[0][1:]]


def bleu1(hyp, ref):
    hyp = [w for w in hyp if w != '<EOS>' and w != 'EOS']
    if len(hyp) == 0:
        return 0.
    m = sum(min(hyp.count(w), ref.count(w)) for w in set(hyp))
    bp = min(1., math.exp(1 - len(ref) / len(hyp)))
    return bp * m / len(hyp)


def evaluateAll(encoder, decoder, in_lang, out_lang, pairs):
    encoder.eval()
    decoder.eval()
    greedy, beam = 0, 0
    for p in pairs:
        ref = p[1].split(' ')
        words, _ = greedy_decode(encoder, decoder, in_lang, out_lang, p[0])
        greedy += bleu1(words, ref)
        beam += bleu1(beam_decode(encoder, decoder, in_lang, out_lang, p[0]), ref)
    p = random.choice(pairs)
    print('>', p[0])
    print('=', p[1])
    print('<', ' '.join(greedy_decode(encoder, decoder, in_lang, out_lang, p[0])[0]))
    return greedy / len(pairs), beam / len(pairs)


def asMinutes(s):
    m = math.floor(s / 60)
    s -= m * 60
    return '%dm %ds' % (m, s)


def timeSince(since, percent):
    s = time.time() - since
    rs = s / percent - s
    return '%s (- %s)' % (asMinutes(s), asMinutes(rs))


if __name__ == '__main__':
    input_lang, output_lang, pairs = prepareData(N_PAIRS)
    print(random.choice(pairs))
    test_pairs, train_pairs = pairs[:12], pairs[12:]

    encoder1 = EncoderRNN(input_lang.n_words, EMB, HIDDEN).to(device)
    decoder1 = AttnDecoderRNN(output_lang.n_words, EMB, HIDDEN).to(device)
    encoder_optimizer = optim.Adam(encoder1.parameters(), lr=0.003)
    decoder_optimizer = optim.Adam(decoder1.parameters(), lr=0.003)

    start = time.time()
    n_iters = N_EPOCHS * int(math.ceil(len(train_pairs) / BATCH_SIZE))
    print_loss_total = 0
    plot_losses = []
    it = 0
    best = -1
    for epoch in range(N_EPOCHS):
        random.shuffle(train_pairs)
        for b in range(0, len(train_pairs), BATCH_SIZE):
            it += 1
            batch = make_batch(train_pairs[b:b + BATCH_SIZE], input_lang, output_lang)
            loss = train(batch, encoder1, decoder1, encoder_optimizer, decoder_optimizer)
            print_loss_total += loss
            if it % PRINT_EVERY == 0:
                print_loss_avg = print_loss_total / PRINT_EVERY
                print_loss_total = 0
                plot_losses.append(print_loss_avg)
                print('%s (%d %d%%) %.4f' % (timeSince(start, it / n_iters), it, it / n_iters * 100, print_loss_avg))
        g, bm = evaluateAll(encoder1, decoder1, input_lang, output_lang, test_pairs)
        print('epoch %d  bleu-1 greedy %.3f beam %.3f' % (epoch, g, bm))
        if bm >= best:
            best = bm
            if not os.path.exists(SAVE_DIR):
                os.makedirs(SAVE_DIR)
            torch.save({'en': encoder1.state_dict(), 'de': decoder1.state_dict(), 'loss': loss,
                        'voc': output_lang.__dict__}, os.path.join(SAVE_DIR, 'best.tar'))
