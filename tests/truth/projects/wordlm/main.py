import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn

import data
import model as m
from utils import batchify, get_batch, repackage_hidden

parser = argparse.ArgumentParser(description='PyTorch RNN/LSTM Language Model')
parser.add_argument('--data', type=str, default='/tmp/wordlm_data/', help='location of the data corpus')
parser.add_argument('--model', type=str, default='LSTM', help='type of recurrent net (LSTM, GRU)')
parser.add_argument('--emsize', type=int, default=48)
parser.add_argument('--nhid', type=int, default=64)
parser.add_argument('--nlayers', type=int, default=2)
parser.add_argument('--lr', type=float, default=10, help='initial learning rate')
parser.add_argument('--clip', type=float, default=0.25, help='gradient clipping')
parser.add_argument('--epochs', type=int, default=3)
parser.add_argument('--batch_size', type=int, default=8, metavar='N')
parser.add_argument('--bptt', type=int, default=20)
parser.add_argument('--dropout', type=float, default=0.3)
parser.add_argument('--tied', action='store_false')
parser.add_argument('--seed', type=int, default=1111)
parser.add_argument('--alpha', type=float, default=2, help='AR regularization (0 means none)')
parser.add_argument('--beta', type=float, default=1, help='TAR regularization')
parser.add_argument('--wdecay', type=float, default=1.2e-6)
parser.add_argument('--no-cuda', dest='cuda', action='store_false')
parser.add_argument('--log-interval', type=int, default=5, metavar='N')
parser.add_argument('--save', type=str, default='out/model.pt')
args = parser.parse_args()

np.random.seed(args.seed)
torch.manual_seed(args.seed)
if args.cuda and not torch.cuda.is_available():
    args.cuda = False
if args.cuda:
    torch.cuda.manual_seed(args.seed)


def model_save(fn):
    if not os.path.isdir(os.path.dirname(fn)):
        os.makedirs(os.path.dirname(fn))
    with open(fn, 'wb') as f:
        torch.save([model, criterion, optimizer], f)


def model_load(fn):
    global model, criterion, optimizer
    with open(fn, 'rb') as f:
        model, criterion, optimizer = torch.load(f, weights_only=False)


corpus = data.Corpus(args.data)
eval_batch_size = 10
test_batch_size = 1
train_data = batchify(corpus.train, args.batch_size, args)
val_data = batchify(corpus.valid, eval_batch_size, args)
test_data = batchify(corpus.test, test_batch_size, args)

ntokens = len(corpus.dictionary)
model = m.RNNModel(args.model, ntokens, args.emsize, args.nhid, args.nlayers, args.dropout, tie_weights=args.tied)
criterion = nn.CrossEntropyLoss()
if args.cuda:
    model = model.cuda()
    criterion = criterion.cuda()
params = list(model.parameters())
total_params = sum(x.size()[0] * x.size()[1] if len(x.size()) > 1 else x.size()[0] for x in params if x.size())
print('Args:', args)
print('Model total parameters:', total_params)


def evaluate(data_source, batch_size=10):
    model.eval()
    total_loss = 0
    hidden = model.init_hidden(batch_size)
    with torch.no_grad():
        for i in range(0, data_source.size(0) - 1, args.bptt):
            data, targets = get_batch(data_source, i, args)
            output, hidden = model(data, hidden)
            total_loss += len(data) * criterion(output.view(-1, ntokens), targets).data
            hidden = repackage_hidden(hidden)
    return total_loss.item() / len(data_source)


def train():
    total_loss = 0
    start_time = time.time()
    hidden = model.init_hidden(args.batch_size)
    batch, i = 0, 0
    while i < train_data.size(0) - 1 - 1:
        bptt = args.bptt if np.random.random() < 0.95 else args.bptt / 2.
        # Prevent excessively small or negative sequence lengths
        seq_len = max(5, int(np.random.normal(bptt, 3)))

        lr2 = optimizer.param_groups[0]['lr']
        optimizer.param_groups[0]['lr'] = lr2 * seq_len / args.bptt
        model.train()
        data, targets = get_batch(train_data, i, args, seq_len=seq_len)

        # Starting each batch, we detach the hidden state from how it was previously produced.
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()

        output, hidden, rnn_hs, dropped_rnn_hs = model(data, hidden, return_h=True)
        raw_loss = criterion(output.view(-1, ntokens), targets)

        loss = raw_loss
        # Activiation Regularization
        if args.alpha:
            loss = loss + sum(args.alpha * dropped_rnn_h.pow(2).mean() for dropped_rnn_h in dropped_rnn_hs[-1:])
        # Temporal Activation Regularization (slowness)
        if args.beta:
            loss = loss + sum(args.beta * (rnn_h[1:] - rnn_h[:-1]).pow(2).mean() for rnn_h in rnn_hs[-1:])
        loss.backward()

        # `clip_grad_norm` helps prevent the exploding gradient problem in RNNs / LSTMs.
        if args.clip:
            torch.nn.utils.clip_grad_norm_(params, args.clip)
        optimizer.step()

        total_loss += raw_loss.data
        optimizer.param_groups[0]['lr'] = lr2
        if batch % args.log_interval == 0 and batch > 0:
            cur_loss = total_loss.item() / args.log_interval
            elapsed = time.time() - start_time
            print('| epoch {:3d} | {:5d}/{:5d} batches | lr {:05.5f} | ms/batch {:5.2f} | '
                  'loss {:5.2f} | ppl {:8.2f} | bpc {:8.3f}'.format(
                      epoch, batch, len(train_data) // args.bptt, optimizer.param_groups[0]['lr'],
                      elapsed * 1000 / args.log_interval, cur_loss, math.exp(cur_loss), cur_loss / math.log(2)))
            total_loss = 0
            start_time = time.time()
        batch += 1
        i += seq_len


def sample(n=30, temperature=1.0):
    model.eval()
    hidden = model.init_hidden(1)
    inp = torch.randint(ntokens, (1, 1), dtype=torch.long)
    if args.cuda:
        inp = inp.cuda()
    words = []
    with torch.no_grad():
        for _ in range(n):
            output, hidden = model(inp, hidden)
            word_weights = output.squeeze().div(temperature).exp().cpu()
            word_idx = torch.multinomial(word_weights, 1)[0]
            inp.fill_(word_idx)
            words.append(corpus.dictionary.idx2word[word_idx])
    return ' '.join(words)


# Loop over epochs.
lr = args.lr
best_val_loss = []
stored_loss = 100000000

# At any point you can hit Ctrl + C to break out of training early.
try:
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, weight_decay=args.wdecay)
    for epoch in range(1, args.epochs + 1):
        epoch_start_time = time.time()
        train()
        val_loss = evaluate(val_data, eval_batch_size)
        print('-' * 89)
        print('| end of epoch {:3d} | time: {:5.2f}s | valid loss {:5.2f} | valid ppl {:8.2f}'.format(
            epoch, (time.time() - epoch_start_time), val_loss, math.exp(val_loss)))
        print('-' * 89)

        if val_loss < stored_loss:
            model_save(args.save)
            print('Saving model (new best validation)')
            stored_loss = val_loss
        else:
            print('Annealing learning rate')
            optimizer.param_groups[0]['lr'] /= 4.
        best_val_loss.append(val_loss)
except KeyboardInterrupt:
    print('-' * 89)
    print('Exiting from training early')

model_load(args.save)
test_loss = evaluate(test_data, test_batch_size)
print('=' * 89)
print('| End of training | test loss {:5.2f} | test ppl {:8.2f}'.format(test_loss, math.exp(test_loss)))
print('=' * 89)
print(sample())
