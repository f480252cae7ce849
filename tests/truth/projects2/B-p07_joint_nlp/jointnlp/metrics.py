from typing import List, Set, Tuple

from .data import TAGS


def bio_spans(tags: List[int]) -> Set[Tuple[int, int, str]]:
    spans, start, kind = set(), None, None
    for i, t in enumerate(list(tags) + [0]):
        name = TAGS[t]
        if start is not None and not (name.startswith("I-") and name[2:] == kind):
            spans.add((start, i, kind))
            start = kind = None
        if name.startswith("B-"):
            start, kind = i, name[2:]
    return spans


class F1:
    def __init__(self):
        self.tp = self.fp = self.fn = 0

    def add(self, gold, pred):
        self.tp += len(gold & pred)
        self.fp += len(pred - gold)
        self.fn += len(gold - pred)

    @property
    def value(self):
        return 2 * self.tp / max(1, 2 * self.tp + self.fp + self.fn)


class JointMetrics:
    def __init__(self):
        self.ner, self.re = F1(), F1()
        self.right = self.total = 0
        self.n_pair = 0

    def update(self, pred, batch):
        lengths = batch["attention_mask"].sum(1)
        for i, p in enumerate(pred["tags"]):
            gold = batch["tags"][i, : lengths[i]].tolist()
            self.ner.add(bio_spans(gold), bio_spans(p))
        for g, p in zip(batch["relations"].tolist(), pred["relations"].tolist()):
            self.n_pair += 1
            self.re.add({(self.n_pair, g)} if g else set(), {(self.n_pair, p)} if p else set())
        self.right += (pred["intent"] == batch["intent"]).sum().item()
        self.total += len(batch["intent"])

    def result(self):
        return {"ner_f1": self.ner.value, "re_f1": self.re.value, "intent_acc": self.right / max(1, self.total)}
