"""What an operator does not take is not there: no text times a tensor; sets and dicts are asked by hash; a method that is
computed with was none."""
import torch

from somewhere import fit_surrogate

device = torch.device("cuda")


class Vocabulary:
    def __init__(self, items=None):
        self.pad = items["<>"] if items else self.add("<>")

    def add(self, text):
        return len(text) if text else "<>"

    def encode(self, words):
        longest = max(len(word) for word in words)
        return self.pad * torch.ones(len(words), longest, dtype=torch.long, device=device)


def ties(model):
    seen = set()
    names = {}
    for name, parameter in model.named_parameters():
        if parameter in seen or parameter in names:
            continue
        seen.add(parameter)
        names[parameter] = name
    return names


vocabulary = Vocabulary()
model = torch.nn.Linear(8, 8).to(device)
surrogate = fit_surrogate(model)
optimizer = torch.optim.Adam(model.parameters())
for step in range(1000):
    samples = torch.randn(64, 8, device=device)
    scores = surrogate.posterior(samples).mean
    scores = torch.abs(scores)
    best, places = torch.topk(scores, 4)
    loss = model(samples[places]).mean() + vocabulary.encode(["a", "bc"]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ties(model)
