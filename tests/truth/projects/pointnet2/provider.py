import numpy as np
from torch.utils.data import Dataset


def pc_normalize(pc):
    pc = pc - np.mean(pc, axis=0)
    return pc / np.max(np.sqrt(np.sum(pc ** 2, axis=1)))


def random_scale_point_cloud(batch_data, scale_low=0.8, scale_high=1.25):
    scales = np.random.uniform(scale_low, scale_high, batch_data.shape[0])
    for i in range(len(scales)):
        batch_data[i, :, :] *= scales[i]
    return batch_data


def shift_point_cloud(batch_data, shift_range=0.1):
    shifts = np.random.uniform(-shift_range, shift_range, (batch_data.shape[0], 3))
    for i in range(len(shifts)):
        batch_data[i, :, :] += shifts[i, :]
    return batch_data


class PartNormalDataset(Dataset):
    """Lamps (pole + shade) and tables (top + legs), in place of ShapeNet parts"""
    seg_classes = {'Lamp': [0, 1], 'Table': [2, 3]}

    def __init__(self, n, npoints=256, seed=0):
        rng = np.random.RandomState(seed)
        self.cache = []
        for i in range(n):
            cat = i % 2
            half = npoints // 2
            normal = rng.randn(npoints, 3)
            normal /= np.linalg.norm(normal, axis=1, keepdims=True)
            if cat == 0:
                pole = np.c_[rng.randn(half, 2) * 0.03, rng.uniform(0, 1, half)]
                t = rng.uniform(0, 2 * np.pi, npoints - half)
                shade = np.c_[0.4 * np.cos(t), 0.4 * np.sin(t), rng.uniform(0.8, 1.1, len(t))]
                pts = np.r_[pole, shade]
            else:
                top = np.c_[rng.uniform(-.5, .5, (half, 2)), np.full(half, 0.6)]
                legs = np.c_[rng.choice([-.45, .45], (npoints - half, 2)), rng.uniform(0, 0.6, npoints - half)]
                pts = np.r_[top, legs]
            seg = np.r_[np.zeros(half), np.ones(npoints - half)] + 2 * cat
            pts = pc_normalize(pts + rng.randn(*pts.shape) * 0.01)
            self.cache.append((np.c_[pts, normal].astype(np.float32), np.array([cat]), seg.astype(np.int64)))

    def __len__(self):
        return len(self.cache)

    def __getitem__(self, index):
        pts, cls, seg = self.cache[index]
        choice = np.random.choice(len(seg), len(seg), replace=True)
        return pts[choice, :], cls, seg[choice]
