"""What is annotated as a tuple is one: its parts are where they were made, not where a tensor would be."""
import torch
from torch import nn


class Decoder:
    def decode(self, scores: tuple, batch):
        features, lengths, transitions = scores
        ends = [i for i, length in enumerate(lengths) if length == batch]
        return features.sum() + transitions.sum(), ends


class Tagger(nn.Module):
    def __init__(self, crf):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.transitions = nn.Parameter(torch.zeros(8, 8))
        self.crf, self.decoder = crf, Decoder()

    def prepare(self, batch):
        lengths = torch.LongTensor([len(one) for one in batch])
        return torch.stack(batch).cuda(non_blocking=True), lengths

    def forward(self, x, lengths):
        features = self.body(x)
        if self.crf:
            return features, lengths, self.transitions
        return features

    def predict(self, loader):
        for batch in loader:
            x, lengths = self.prepare(batch)
            print(self.decoder.decode(self(x, lengths), 3)[1])


def decode_all(found: list, model):
    for scores in found:
        Decoder().decode(scores, 3)
        print([one for one in model(scores) if one == 3])


model = Tagger(torch.rand(1).item() > 0.5).cuda()
model.predict([[torch.randn(4, 8).pin_memory()]])
