import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

COLORS = {
    "red": (220, 40, 40), "green": (40, 200, 60), "blue": (50, 70, 220),
    "yellow": (230, 220, 50), "purple": (150, 50, 180), "white": (240, 240, 240),
}
SHAPES = ["circle", "square", "cross", "ring"]
TEMPLATES = [
    "a photo of a {c} {s}", "a {c} {s}", "an image of one {c} {s}",
    "a blurry photo of the {c} {s}", "there is a {c} {s} in the picture",
]
OPENAI_MEAN = (0.48145466, 0.4578275, 0.40821073)
OPENAI_STD = (0.26862954, 0.26130258, 0.27577711)


class SimpleTokenizer:
    def __init__(self, context_length=16):
        words = set()
        for t in TEMPLATES:
            words.update(t.replace("{c}", "").replace("{s}", "").split())
        words.update(COLORS)
        words.update(SHAPES)
        self.vocab = {w: i + 1 for i, w in enumerate(sorted(words))}
        self.sot = len(self.vocab) + 1
        self.eot = len(self.vocab) + 2
        self.context_length = context_length

    @property
    def vocab_size(self):
        return self.eot + 1

    def __call__(self, texts):
        if isinstance(texts, str):
            texts = [texts]
        result = torch.zeros(len(texts), self.context_length, dtype=torch.long)
        for i, t in enumerate(texts):
            ids = [self.sot] + [self.vocab[w] for w in t.lower().split()] + [self.eot]
            if len(ids) > self.context_length:
                ids = ids[:self.context_length]
                ids[-1] = self.eot
            result[i, :len(ids)] = torch.tensor(ids)
        return result


def render(color, shape, size, rng):
    img = rng.integers(0, 60, size=(size, size, 3)).astype(np.float32)
    cy, cx = rng.uniform(size * 0.35, size * 0.65, size=2)
    r = rng.uniform(size * 0.18, size * 0.32)
    yy, xx = np.mgrid[0:size, 0:size]
    d = np.sqrt((yy - cy) ** 2 + (xx - cx) ** 2)
    if shape == "circle":
        m = d < r
    elif shape == "square":
        m = (np.abs(yy - cy) < r) & (np.abs(xx - cx) < r)
    elif shape == "cross":
        m = ((np.abs(yy - cy) < r / 3) & (np.abs(xx - cx) < r)) | ((np.abs(xx - cx) < r / 3) & (np.abs(yy - cy) < r))
    else:
        m = (d < r) & (d > r * 0.6)
    img[m] = np.array(COLORS[color], dtype=np.float32) + rng.normal(0, 8, size=3)
    return np.clip(img, 0, 255).astype(np.uint8)


def preprocess(img, is_train):
    if is_train and random.random() < 0.5:
        img = img[:, ::-1]
    x = torch.from_numpy(np.ascontiguousarray(img)).permute(2, 0, 1).float().div(255)
    mean = torch.tensor(OPENAI_MEAN).view(3, 1, 1)
    std = torch.tensor(OPENAI_STD).view(3, 1, 1)
    return (x - mean) / std


class ShapesCaptions(Dataset):
    def __init__(self, n, image_size, tokenizer, is_train=True, seed=0):
        self.n = n
        self.image_size = image_size
        self.tokenize = tokenizer
        self.is_train = is_train
        self.seed = seed
        self.colors = list(COLORS)

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        rng = np.random.default_rng(self.seed * 1000003 + idx)
        c = self.colors[int(rng.integers(len(self.colors)))]
        s = SHAPES[int(rng.integers(len(SHAPES)))]
        img = preprocess(render(c, s, self.image_size, rng), self.is_train)
        caption = TEMPLATES[int(rng.integers(len(TEMPLATES)))].format(c=c, s=s)
        return img, self.tokenize(caption)[0]


class ShapesZeroShot(ShapesCaptions):
    def __getitem__(self, idx):
        rng = np.random.default_rng(self.seed * 1000003 + idx)
        c = int(rng.integers(len(self.colors)))
        s = int(rng.integers(len(SHAPES)))
        img = preprocess(render(self.colors[c], SHAPES[s], self.image_size, rng), False)
        return img, c * len(SHAPES) + s


def classnames():
    return [(c, s) for c in COLORS for s in SHAPES]


def get_data(args, tokenizer):
    train = ShapesCaptions(args.train_num_samples, args.image_size, tokenizer, True, seed=1)
    val = ShapesCaptions(args.val_num_samples, args.image_size, tokenizer, False, seed=2)
    zs = ShapesZeroShot(args.val_num_samples, args.image_size, tokenizer, False, seed=3)
    kw = dict(batch_size=args.batch_size, num_workers=args.workers, pin_memory=True)
    return {
        "train": DataLoader(train, shuffle=True, drop_last=True, **kw),
        "val": DataLoader(val, shuffle=False, **kw),
        "zeroshot": DataLoader(zs, shuffle=False, **kw),
    }
