import logging

import numpy as np
import torch
from torch.utils.data import Dataset


def _sphere(n, rng):
    p = rng.randn(n, 3)
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    return p * rng.uniform(0.5, 1.0, size=(1, 3))


def _box(n, rng):
    ext = rng.uniform(0.4, 1.0, size=3)
    p = rng.uniform(-1, 1, size=(n, 3))
    ax = rng.randint(0, 3, size=n)
    p[np.arange(n), ax] = np.sign(rng.randn(n))
    return p * ext


def _torus(n, rng):
    R, r = rng.uniform(0.5, 0.8), rng.uniform(0.1, 0.25)
    u, v = rng.uniform(0, 2 * np.pi, size=(2, n))
    return np.stack([(R + r * np.cos(v)) * np.cos(u), (R + r * np.cos(v)) * np.sin(u), r * np.sin(v)], 1)


def _cone(n, rng):
    h = np.sqrt(rng.uniform(0, 1, size=n))
    a = rng.uniform(0, 2 * np.pi, size=n)
    rad = rng.uniform(0.4, 0.9)
    return np.stack([rad * h * np.cos(a), rad * h * np.sin(a), 1 - 2 * h], 1)


SHAPES = {'sphere': _sphere, 'box': _box, 'torus': _torus, 'cone': _cone}


class RandomSamplePoints(object):
    def __init__(self, n_points):
        self.n_points = n_points

    def __call__(self, ptcloud):
        choice = np.random.permutation(ptcloud.shape[0])
        ptcloud = ptcloud[choice[:self.n_points]]
        if ptcloud.shape[0] < self.n_points:
            zeros = np.zeros((self.n_points - ptcloud.shape[0], 3), dtype=ptcloud.dtype)
            ptcloud = np.concatenate([ptcloud, zeros])
        return ptcloud


class RandomMirror(object):
    def __call__(self, partial, gt):
        for ax in (0, 1):
            if np.random.rand() < 0.5:
                partial[:, ax] *= -1
                gt[:, ax] *= -1
        return partial, gt


class ToyCompletion(Dataset):
    def __init__(self, cfg, subset):
        self.cfg = cfg
        self.subset = subset
        n = cfg['train_samples'] if subset == 'train' else cfg['val_samples']
        self.file_list = []
        for i in range(n):
            cat = cfg['categories'][i % len(cfg['categories'])]
            self.file_list.append({'taxonomy_id': cat, 'model_id': '%s_%05d' % (cat, i),
                                   'seed': i + (0 if subset == 'train' else 10 ** 6)})
        self.sampler = RandomSamplePoints(cfg['n_partial'])
        self.mirror = RandomMirror()
        logging.info('Complete collecting files of the dataset [%s]. Total files: %d' % (subset, n))

    def __len__(self):
        return len(self.file_list)

    def __getitem__(self, idx):
        s = self.file_list[idx]
        rng = np.random.RandomState(s['seed'])
        gt = SHAPES[s['taxonomy_id']](self.cfg['n_gt'], rng).astype(np.float32)
        view = rng.randn(3)
        view /= np.linalg.norm(view)
        d = gt @ view
        partial = gt[d > np.quantile(d, rng.uniform(0.4, 0.65))]
        partial = self.sampler(partial.astype(np.float32))
        if self.subset == 'train':
            partial, gt = self.mirror(partial.copy(), gt.copy())
        return s['taxonomy_id'], s['model_id'], {'partial_cloud': torch.from_numpy(partial),
                                                 'gtcloud': torch.from_numpy(gt)}


def collate_fn(batch):
    taxonomy_ids, model_ids, data = [], [], {}
    for sample in batch:
        taxonomy_ids.append(sample[0])
        model_ids.append(sample[1])
        for k, v in sample[2].items():
            data.setdefault(k, []).append(v)
    for k, v in data.items():
        data[k] = torch.stack(v, 0)
    return taxonomy_ids, model_ids, data
