import random
from dataclasses import dataclass

import torch
from torch.utils.data import Dataset

PAD, BOS, EOS, SEP = 0, 1, 2, 3
OFFSET = 4
VOCAB = OFFSET + 40
IGNORE = -100


@dataclass
class Sample:
    prompt: list
    chosen: list
    rejected: list


def make_samples(n, seed=0):
    # "task": answer with the sorted prompt; the rejected answer is a sloppy permutation
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        p = [rng.randrange(40) + OFFSET for _ in range(rng.randint(4, 9))]
        good, bad = sorted(p), list(p)
        rng.shuffle(bad)
        out.append(Sample([BOS] + p + [SEP], good + [EOS], bad[: rng.randint(2, len(bad))] + [EOS]))
    return out


class SFTDataset(Dataset):
    def __init__(self, samples):
        self.samples = samples

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        s = self.samples[i]
        return dict(input_ids=s.prompt + s.chosen, labels=[IGNORE] * len(s.prompt) + s.chosen)


class PreferenceDataset(SFTDataset):
    def __getitem__(self, i):
        s = self.samples[i]
        return dict(
            chosen_input_ids=s.prompt + s.chosen, chosen_labels=[IGNORE] * len(s.prompt) + s.chosen,
            rejected_input_ids=s.prompt + s.rejected, rejected_labels=[IGNORE] * len(s.prompt) + s.rejected,
        )


def collate(features):
    batch = {}
    for k in features[0]:
        pad = IGNORE if k.endswith("labels") else PAD
        m = max(len(f[k]) for f in features)
        batch[k] = torch.tensor([f[k] + [pad] * (m - len(f[k])) for f in features])
    return batch
