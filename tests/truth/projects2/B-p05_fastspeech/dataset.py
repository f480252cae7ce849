import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

import hparams as hp
from text import _phones, text_to_sequence
from utils.tools import pad_1D, pad_2D


def preprocess():
    """Invents a speaker: every phone has a spectral shape, a usual duration and a pitch offset."""
    for d in ("mel", "D", "f0", "energy"):
        os.makedirs(os.path.join(hp.preprocessed_path, d), exist_ok=True)
    rng = np.random.RandomState(7)
    bins = np.arange(hp.n_mel_channels)
    voice = {}
    for p in _phones + ["sp"]:
        c1, c2, w = rng.uniform(2, 18), rng.uniform(15, 38), rng.uniform(1.5, 5)
        shape = np.exp(-((bins - c1) / w) ** 2) * 4 + np.exp(-((bins - c2) / w) ** 2) * 3 - 4
        voice[p] = (shape, rng.randint(3, 9), rng.uniform(-20, 20))
    lines = []
    for n in range(hp.n_utts):
        phones = []
        for _ in range(rng.randint(3, 8)):
            phones += list(rng.choice(_phones, rng.randint(2, 6))) + ["sp"]
        base = rng.uniform(110, 220)
        mel, D, f0, energy = [], [], [], []
        for k, p in enumerate(phones):
            shape, dur, off = voice[p]
            dur = max(1, dur + rng.randint(-1, 2))
            pitch = 0.0 if p == "sp" else np.clip(base + off - 30 * k / len(phones), hp.f0_min, hp.f0_max)
            e = rng.uniform(0.7, 1.3)
            for t in range(dur):
                ramp = np.sin(np.pi * (t + 1) / (dur + 1))
                mel.append(shape * ramp * e + pitch / 400 + 0.05 * rng.randn(hp.n_mel_channels))
                f0.append(pitch)
                energy.append(np.abs(shape * ramp * e).mean())
            D.append(dur)
        base_name = "utt%04d" % n
        for d, x in (("mel", np.array(mel, dtype=np.float32)), ("D", np.array(D)),
                     ("f0", np.array(f0, dtype=np.float32)), ("energy", np.array(energy, dtype=np.float32))):
            np.save(os.path.join(hp.preprocessed_path, d, "{}-{}-{}.npy".format(hp.dataset, d, base_name)), x)
        lines.append("{}|{}".format(base_name, "{" + " ".join(phones) + "}"))
    with open(os.path.join(hp.preprocessed_path, "val.txt"), "w") as f:
        f.write("\n".join(lines[:hp.n_eval]))
    with open(os.path.join(hp.preprocessed_path, "train.txt"), "w") as f:
        f.write("\n".join(lines[hp.n_eval:]))


class TTSDataset(Dataset):
    def __init__(self, filename="train.txt", sort=True):
        with open(os.path.join(hp.preprocessed_path, filename)) as f:
            rows = [l.strip("\n").split("|") for l in f]
        self.basename = [r[0] for r in rows]
        self.text = [r[1] for r in rows]
        self.sort = sort

    def __len__(self):
        return len(self.text)

    def _load(self, kind, basename):
        return np.load(os.path.join(hp.preprocessed_path, kind, "{}-{}-{}.npy".format(hp.dataset, kind, basename)))

    def __getitem__(self, idx):
        b = self.basename[idx]
        return {"id": b, "text": np.array(text_to_sequence(self.text[idx])), "mel_target": self._load("mel", b),
                "D": self._load("D", b), "f0": self._load("f0", b), "energy": self._load("energy", b)}

    def reprocess(self, batch, cut_list):
        batch = [batch[i] for i in cut_list]
        texts = [b["text"] for b in batch]
        mels = [b["mel_target"] for b in batch]
        Ds = [b["D"] for b in batch]
        for t, d in zip(texts, Ds):
            assert len(t) == len(d)
        length_text = np.array([t.shape[0] for t in texts])
        length_mel = np.array([m.shape[0] for m in mels])
        return {"id": [b["id"] for b in batch], "text": pad_1D(texts), "mel_target": pad_2D(mels), "D": pad_1D(Ds),
                "log_D": np.log(pad_1D(Ds) + hp.log_offset), "f0": pad_1D([b["f0"] for b in batch]),
                "energy": pad_1D([b["energy"] for b in batch]), "src_len": length_text, "mel_len": length_mel}

    def collate_fn(self, batch):
        # batch of batches: sort a large batch by length and cut it
        len_arr = np.array([d["text"].shape[0] for d in batch])
        index_arr = np.argsort(-len_arr)
        real = hp.batch_size
        cut_list = [index_arr[i:i + real] for i in range(0, len(batch), real)] if self.sort else [np.arange(len(batch))]
        return [self.reprocess(batch, c) for c in cut_list]


def get_loader(filename, train=True):
    dataset = TTSDataset(filename)
    return DataLoader(dataset, batch_size=hp.batch_size * 4 if train else hp.batch_size, shuffle=train,
                      collate_fn=dataset.collate_fn, drop_last=False, num_workers=0)
