from collections import Counter

import torch


class Dictionary(object):
    """A mapping from symbols to consecutive integers"""

    def __init__(self, pad='<pad>', bos='<s>', eos='</s>', unk='<unk>'):
        self.symbols, self.indices = [], {}
        self.pad_index = self.add_symbol(pad)
        self.bos_index = self.add_symbol(bos)
        self.eos_index = self.add_symbol(eos)
        self.unk_index = self.add_symbol(unk)
        self.nspecial = len(self.symbols)

    def __len__(self):
        return len(self.symbols)

    def add_symbol(self, w):
        if w not in self.indices:
            self.indices[w] = len(self.symbols)
            self.symbols.append(w)
        return self.indices[w]

    @classmethod
    def build(cls, lines, threshold=1):
        d = cls()
        counter = Counter(w for line in lines for w in line.split())
        for w, c in sorted(counter.items(), key=lambda x: (-x[1], x[0])):
            if c >= threshold:
                d.add_symbol(w)
        return d

    def encode_line(self, line):
        ids = [self.indices.get(w, self.unk_index) for w in line.split()] + [self.eos_index]
        return torch.LongTensor(ids)

    def string(self, tensor):
        return ' '.join(self.symbols[i] for i in tensor if i not in (self.pad_index, self.bos_index, self.eos_index))
