import os
import random
from collections import Counter

import torch


class Dictionary(object):
    def __init__(self):
        self.word2idx = {}
        self.idx2word = []
        self.counter = Counter()
        self.total = 0

    def add_word(self, word):
        if word not in self.word2idx:
            self.idx2word.append(word)
            self.word2idx[word] = len(self.idx2word) - 1
        token_id = self.word2idx[word]
        self.counter[token_id] += 1
        self.total += 1
        return self.word2idx[word]

    def __len__(self):
        return len(self.idx2word)


class Corpus(object):
    def __init__(self, path):
        self.dictionary = Dictionary()
        if not os.path.exists(os.path.join(path, 'train.txt')):
            make_fake(path)
        self.train = self.tokenize(os.path.join(path, 'train.txt'))
        self.valid = self.tokenize(os.path.join(path, 'valid.txt'))
        self.test = self.tokenize(os.path.join(path, 'test.txt'))

    def tokenize(self, path):
        """Tokenizes a text file."""
        assert os.path.exists(path)
        with open(path, 'r', encoding="utf8") as f:
            tokens = 0
            for line in f:
                words = line.split() + ['<eos>']
                tokens += len(words)
                for word in words:
                    self.dictionary.add_word(word)

        with open(path, 'r', encoding="utf8") as f:
            ids = torch.LongTensor(tokens)
            token = 0
            for line in f:
                words = line.split() + ['<eos>']
                for word in words:
                    ids[token] = self.dictionary.word2idx[word]
                    token += 1
        return ids


def make_fake(path):
    # stand-in for PTB
    if not os.path.exists(path):
        os.makedirs(path)
    rnd = random.Random(3)
    vocab = ['w%d' % i for i in range(300)]
    for name, n in (('train', 260), ('valid', 60), ('test', 60)):
        with open(os.path.join(path, name + '.txt'), 'w') as f:
            for _ in range(n):
                w = rnd.randrange(300)
                sent = []
                for _ in range(rnd.randint(5, 25)):
                    sent.append(vocab[w])
                    w = (w * 7 + rnd.randint(0, 3)) % 300
                f.write(' '.join(sent) + '\n')
