import argparse
import random
from collections import defaultdict
from os import mkdir
from os.path import exists, join

import torch
import torch.nn as nn
import torch.optim as optim
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


IMPOSSIBLE = -1e4


def log_sum_exp(x):
    """calculate log(sum(exp(x))) = max(x) + log(sum(exp(x - max(x))))"""
    max_score = x.max(-1)[0]
    return max_score + (x - max_score.unsqueeze(-1)).exp().sum(-1).log()


class CRF(nn.Module):
    """General CRF module.
    :param in_features: number of features for the input
    :param num_tag: number of tags. DO NOT include START, STOP tags, they are included internal.
    """

    def __init__(self, in_features, num_tags):
        super(CRF, self).__init__()
        self.num_tags = num_tags + 2
        self.start_idx = self.num_tags - 2
        self.stop_idx = self.num_tags - 1
        self.fc = nn.Linear(in_features, self.num_tags)
        # transition factor, Tij mean transition from j to i
        self.transitions = nn.Parameter(torch.randn(self.num_tags, self.num_tags), requires_grad=True)
        self.transitions.data[self.start_idx, :] = IMPOSSIBLE
        self.transitions.data[:, self.stop_idx] = IMPOSSIBLE

    def forward(self, features, masks):
        """decode tags -> (best_score, best_paths)"""
        features = self.fc(features)
        return self.__viterbi_decode(features, masks[:, :features.size(1)].float())

    def loss(self, features, ys, masks):
        """negative log likelihood loss"""
        features = self.fc(features)
        L = features.size(1)
        masks_ = masks[:, :L].float()
        forward_score = self.__forward_algorithm(features, masks_)
        gold_score = self.__score_sentence(features, ys[:, :L].long(), masks_)
        return (forward_score - gold_score).mean()

    def __score_sentence(self, features, tags, masks):
        B, L, C = features.shape
        emit_scores = features.gather(dim=2, index=tags.unsqueeze(-1)).squeeze(-1)
        start_tag = torch.full((B, 1), self.start_idx, dtype=torch.long, device=tags.device)
        tags = torch.cat([start_tag, tags], dim=1)  # [B, L+1]
        trans_scores = self.transitions[tags[:, 1:], tags[:, :-1]]
        last_tag = tags.gather(dim=1, index=masks.sum(1).long().unsqueeze(1)).squeeze(1)
        last_score = self.transitions[self.stop_idx, last_tag]
        return ((trans_scores + emit_scores) * masks).sum(1) + last_score

    def __viterbi_decode(self, features, masks):
        B, L, C = features.shape
        bps = torch.zeros(B, L, C, dtype=torch.long, device=features.device)
        max_score = torch.full((B, C), IMPOSSIBLE, device=features.device)
        max_score[:, self.start_idx] = 0
        for t in range(L):
            mask_t = masks[:, t].unsqueeze(1)
            emit_score_t = features[:, t]
            acc_score_t = max_score.unsqueeze(1) + self.transitions
            acc_score_t, bps[:, t, :] = acc_score_t.max(dim=-1)
            acc_score_t += emit_score_t
            max_score = acc_score_t * mask_t + max_score * (1 - mask_t)
        max_score += self.transitions[self.stop_idx]
        best_score, best_tag = max_score.max(dim=-1)

        # Extract the best path from back pointers
        best_paths = []
        bps = bps.cpu().numpy()
        for b in range(B):
            best_tag_b = best_tag[b].item()
            seq_len = int(masks[b, :].sum().item())
            best_path = [best_tag_b]
            for bps_t in reversed(bps[b, :seq_len]):
                best_tag_b = bps_t[best_tag_b]
                best_path.append(best_tag_b)
            # drop the last tag and reverse the left
            best_paths.append(best_path[-2::-1])
        return best_score, best_paths

    def __forward_algorithm(self, features, masks):
        B, L, C = features.shape
        scores = torch.full((B, C), IMPOSSIBLE, device=features.device)
        scores[:, self.start_idx] = 0.
        trans = self.transitions.unsqueeze(0)
        for t in range(L):
            emit_score_t = features[:, t].unsqueeze(2)
            score_t = scores.unsqueeze(1) + trans + emit_score_t
            score_t = log_sum_exp(score_t)
            mask_t = masks[:, t].unsqueeze(1)
            scores = score_t * mask_t + scores * (1 - mask_t)
        scores = log_sum_exp(scores + self.transitions[self.stop_idx])
        return scores


class CharCNN(nn.Module):
    def __init__(self, n_chars, dim=16, out=24, k=3):
        super(CharCNN, self).__init__()
        self.emb = nn.Embedding(n_chars, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, out, k, padding=k // 2)

    def forward(self, chars):
        B, L, W = chars.size()
        x = self.emb(chars.view(B * L, W)).transpose(1, 2)
        x = torch.relu(self.conv(x)).max(dim=2)[0]
        return x.view(B, L, -1)


class BiRnnCrf(nn.Module):
    def __init__(self, vocab_size, n_chars, tagset_size, embedding_dim=50, hidden_dim=64, num_rnn_layers=1):
        super(BiRnnCrf, self).__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.charcnn = CharCNN(n_chars)
        self.drop = nn.Dropout(0.3)
        self.rnn = nn.LSTM(embedding_dim + 24, hidden_dim // 2, num_layers=num_rnn_layers,
                           bidirectional=True, batch_first=True)
        self.crf = CRF(hidden_dim, tagset_size)

    def __build_features(self, sentences, chars):
        masks = sentences.gt(0)
        embeds = torch.cat([self.embedding(sentences.long()), self.charcnn(chars)], -1)
        embeds = self.drop(embeds)

        seq_length = masks.sum(1)
        sorted_seq_length, perm_idx = seq_length.sort(descending=True)
        embeds = embeds[perm_idx, :]

        pack_sequence = pack_padded_sequence(embeds, lengths=sorted_seq_length.cpu(), batch_first=True)
        packed_output, _ = self.rnn(pack_sequence)
        lstm_out, _ = pad_packed_sequence(packed_output, batch_first=True)
        _, unperm_idx = perm_idx.sort()
        lstm_out = lstm_out[unperm_idx, :]
        return lstm_out, masks

    def loss(self, xs, chars, tags):
        features, masks = self.__build_features(xs, chars)
        return self.crf.loss(features, tags, masks=masks)

    def forward(self, xs, chars):
        features, masks = self.__build_features(xs, chars)
        scores, tag_seq = self.crf(features, masks)
        return scores, tag_seq


TAGS = ['O', 'B-PER', 'I-PER', 'B-LOC', 'I-LOC', 'B-ORG', 'I-ORG']
FIRST = 'Anna Boris Clara David Elena Farid Greta Henri'.split()
LAST = 'Smith Garcia Novak Rossi Tanaka Okafor Lund Meyer'.split()
PLACES = ['Paris', 'New York', 'Lake Como', 'Oslo', 'San Juan Valley', 'Lima']
ORGS = ['Acme Corp', 'United Steel', 'Globex', 'Bank of Delta', 'Initech']
TEMPLATES = ['{P} went to {L} yesterday', '{O} hired {P}', 'the office of {O} in {L} was closed by {P} last week',
             'in {L} , {P} met {P}', '{P} said that {O} would leave {L} soon', 'nothing happened']


def _fill(rng):
    toks, tags = [], []
    for piece in rng.choice(TEMPLATES).split():
        if piece in ('{P}', '{L}', '{O}'):
            if piece == '{P}':
                ent, t = rng.choice(FIRST) + ' ' + rng.choice(LAST), 'PER'
            elif piece == '{L}':
                ent, t = rng.choice(PLACES), 'LOC'
            else:
                ent, t = rng.choice(ORGS), 'ORG'
            for i, w in enumerate(ent.split()):
                toks.append(w)
                tags.append(('B-' if i == 0 else 'I-') + t)
        else:
            toks.append(piece)
            tags.append('O')
    return toks, tags


def load_conll(n, seed):
    rng = random.Random(seed)
    return [_fill(rng) for _ in range(n)]


class Processor:
    def __init__(self, data, max_word=12):
        words = sorted({w for s, _ in data for w in s})
        chars = sorted({c for w in words for c in w})
        self.max_word = max_word
        self.w2i = {w: i + 2 for i, w in enumerate(words)}
        self.c2i = {c: i + 2 for i, c in enumerate(chars)}
        self.t2i = {t: i for i, t in enumerate(TAGS)}

    @property
    def n_words(self):
        return len(self.w2i) + 2

    @property
    def n_chars(self):
        return len(self.c2i) + 2

    def batch(self, sents):
        B, L = len(sents), max(len(s) for s, _ in sents)
        xs = torch.zeros(B, L, dtype=torch.long)
        cs = torch.zeros(B, L, self.max_word, dtype=torch.long)
        ys = torch.zeros(B, L, dtype=torch.long)
        for i, (s, t) in enumerate(sents):
            for j, w in enumerate(s):
                xs[i, j] = self.w2i.get(w, 1)
                ys[i, j] = self.t2i[t[j]]
                for k, c in enumerate(w[:self.max_word]):
                    cs[i, j, k] = self.c2i.get(c, 1)
        return xs, cs, ys


def get_entities(seq):
    ents, start, typ = [], None, None
    for i, t in enumerate(list(seq) + ['O']):
        if t == 'O' or t.startswith('B-') or (typ is not None and t[2:] != typ):
            if typ is not None:
                ents.append((start, i, typ))
                typ = None
        if t.startswith('B-'):
            start, typ = i, t[2:]
    return set(ents)


def span_f1(golds, preds):
    tp, fp, fn = defaultdict(int), defaultdict(int), defaultdict(int)
    for g, p in zip(golds, preds):
        g, p = get_entities(g), get_entities(p)
        for e in p:
            if e in g:
                tp[e[2]] += 1
            else:
                fp[e[2]] += 1
        for e in g - p:
            fn[e[2]] += 1
    T, P, N = sum(tp.values()), sum(fp.values()), sum(fn.values())
    prec = T / (T + P) if T + P else 0.
    rec = T / (T + N) if T + N else 0.
    return prec, rec, 2 * prec * rec / (prec + rec) if prec + rec else 0.


def iterate(data, proc, bs, device, shuffle=False):
    order = list(range(len(data)))
    if shuffle:
        random.shuffle(order)
    for i in range(0, len(order), bs):
        chunk = [data[j] for j in order[i:i + bs]]
        yield [b.to(device) for b in proc.batch(chunk)] + [chunk]


def __eval_model(model, device, data, proc, bs, desc):
    model.eval()
    with torch.no_grad():
        losses, nums, golds, preds = [], [], [], []
        for xb, cb, yb, chunk in iterate(data, proc, bs, device):
            losses.append(model.loss(xb, cb, yb).item())
            nums.append(len(xb))
            _, paths = model(xb, cb)
            for (_, gold), path in zip(chunk, paths):
                golds.append(gold)
                preds.append([TAGS[t] if t < len(TAGS) else 'O' for t in path])
        loss = sum(l * n for l, n in zip(losses, nums)) / sum(nums)
        p, r, f = span_f1(golds, preds)
        print('{}: loss {:.4f} precision {:.3f} recall {:.3f} f1 {:.3f}'.format(desc, loss, p, r, f))
        return loss, f


def train(args):
    model_dir = args.model_dir
    if not exists(model_dir):
        mkdir(model_dir)
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    if args.gpu >= 0 and torch.cuda.is_available():
        torch.cuda.set_device(args.gpu)
        device = torch.device('cuda', args.gpu)
    else:
        device = torch.device('cpu')

    data = load_conll(args.num_sents, 0)
    n_val = int(len(data) * args.val_split)
    x_val, x_test, x_train = data[:n_val], data[n_val:2 * n_val], data[2 * n_val:]
    proc = Processor(x_train)
    model = BiRnnCrf(proc.n_words, proc.n_chars, len(TAGS), num_rnn_layers=args.num_rnn_layers)
    model.to(device)
    print(model)
    optimizer = optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)

    losses, val_losses = [], []
    best_f1 = -1
    for epoch in range(args.num_epoch):
        model.train()
        running = 0.0
        for bi, (xb, cb, yb, _) in enumerate(iterate(x_train, proc, args.batch_size, device, shuffle=True), 1):
            model.zero_grad()
            loss = model.loss(xb, cb, yb)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            losses.append(loss.item())
            running += loss.item()
            if bi % args.print_every == 0:
                print("epoch {:>2d}/{} batch {:>3d} loss: {:.5f}".format(epoch + 1, args.num_epoch, bi, running / args.print_every))
                running = 0.0
        val_loss, f1 = __eval_model(model, device, x_val, proc, args.batch_size, 'eval')
        val_losses.append(val_loss)
        if f1 >= best_f1:
            best_f1 = f1
            torch.save(model.state_dict(), join(model_dir, 'model.pth'))
            torch.save(optimizer.state_dict(), join(model_dir, 'optimizer.pth'))
            print("save model(epoch: {}) => {}".format(epoch + 1, join(model_dir, 'model.pth')))

    model.load_state_dict(torch.load(join(model_dir, 'model.pth'), map_location=device))
    __eval_model(model, device, x_test, proc, args.batch_size, 'test')
    for sent, gold in x_test[:2]:
        xb, cb, _ = proc.batch([(sent, gold)])
        score, paths = model(xb.to(device), cb.to(device))
        print(' '.join('%s/%s' % (w, TAGS[min(t, len(TAGS) - 1)]) for w, t in zip(sent, paths[0])), '(%.2f)' % score[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model_dir', type=str, default='/tmp/nercrf_model', help="the output directory for model files")
    parser.add_argument('--num_epoch', type=int, default=3, help="number of epoch to train")
    parser.add_argument('--num_sents', type=int, default=400)
    parser.add_argument('--lr', type=float, default=5e-3, help='learning rate')
    parser.add_argument('--weight_decay', type=float, default=0., help='the L2 normalization parameter')
    parser.add_argument('--batch_size', type=int, default=32, help='batch size for training')
    parser.add_argument('--print_every', type=int, default=3)
    parser.add_argument('--val_split', type=float, default=0.15)
    parser.add_argument('--num_rnn_layers', type=int, default=1)
    parser.add_argument('--gpu', type=int, default=0)
    parser.add_argument('--seed', type=int, default=2019)
    train(parser.parse_args())


if __name__ == '__main__':
    main()
