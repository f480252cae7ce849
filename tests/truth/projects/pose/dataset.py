import numpy as np
import torch
from torch.utils.data import Dataset


class JointsDataset(Dataset):
    flip_pairs = [[1, 2], [3, 4]]

    def __init__(self, cfg, is_train):
        self.cfg = cfg
        self.is_train = is_train
        self.db = list(range(96)) if is_train else list(range(1000, 1032))

    def __len__(self):
        return len(self.db)

    def __getitem__(self, i):
        rng = np.random.RandomState(self.db[i])
        s, J = self.cfg.image_size, self.cfg.num_joints
        joints = rng.uniform(6, s - 6, (J, 2)).astype(np.float32)
        vis = (rng.rand(J) > 0.1).astype(np.float32)
        yy, xx = np.mgrid[:s, :s]
        img = rng.rand(3, s, s) * 0.2
        for j, (x, y) in enumerate(joints):
            img[j % 3] += (1 - 0.3 * (j // 3)) * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / 18.) * vis[j]
        target, target_weight = self.generate_target(joints, vis)
        meta = {'image': '%06d.jpg' % i, 'joints': torch.from_numpy(joints), 'joints_vis': torch.from_numpy(vis)}
        return torch.from_numpy(img.astype(np.float32)), torch.from_numpy(target), \
            torch.from_numpy(target_weight), meta

    def generate_target(self, joints, joints_vis):
        h = self.cfg.image_size // self.cfg.stride
        yy, xx = np.mgrid[:h, :h]
        target = np.zeros((self.cfg.num_joints, h, h), dtype=np.float32)
        for j in range(self.cfg.num_joints):
            mu = np.floor(joints[j] / self.cfg.stride + 0.5)
            if joints_vis[j] > 0.5:
                target[j] = np.exp(-((xx - mu[0]) ** 2 + (yy - mu[1]) ** 2) / (2 * self.cfg.sigma ** 2))
        return target, joints_vis[:, None]
