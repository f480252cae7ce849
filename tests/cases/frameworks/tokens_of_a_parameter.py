"""A tokenizer and a model that generates, known by their names and by what they are asked alone."""
import torch


class StopOnWords:
    def __init__(self, tokenizer, words):
        self.tokenizer = tokenizer
        self.words = words

    def __call__(self, input_ids, scores):
        text = self.tokenizer.decode(input_ids[0][-5:])  # missed: library-wait
        return any(w in text for w in self.words)


def evaluate(model, tokenizer, loader, device):
    model.eval()
    outs = []
    for batch in loader:
        ids = batch["input_ids"].to(device)  # sync: copy-to-device
        out = model.generate(input_ids=ids, max_new_tokens=20)  # sync: library-wait
        outs += tokenizer.batch_decode(out, skip_special_tokens=True)  # sync: library-wait
        for row in out:
            outs.append(tokenizer.decode(row))  # sync: library-wait
    return outs


class Ranker:
    def __init__(self, cfg, device):
        self.device = device
        self.net = torch.nn.Linear(4, 4).to(device)

    def scores(self, table, order):
        picks = torch.argsort(self.net(table.to(self.device)).sum(-1))
        names = [order[i] for i in picks]  # missed: host-read
        best = max(1.0, self.net(table.to(self.device)).norm())  # sync: tensor-truth
        if any(picks > 3):  # sync: tensor-truth
            names = names[:1]
        return names, best


def run(ranker, tables):
    for t in tables:
        print(ranker.scores(t, ["a", "b"]))
