import numpy as np
import torch


def pose_spherical(theta, phi, radius):
    c = np.array([np.cos(theta) * np.cos(phi), np.sin(theta) * np.cos(phi), np.sin(phi)]) * radius
    fwd = -c / np.linalg.norm(c)
    right = np.cross(fwd, np.array([0., 0., 1.]))
    right /= np.linalg.norm(right)
    up = np.cross(right, fwd)
    m = np.eye(4, dtype=np.float32)
    m[:3, 0], m[:3, 1], m[:3, 2], m[:3, 3] = right, up, -fwd, c
    return m


def toy_density(p):
    """two soft spheres and a slab. p: ..., 3"""
    d1 = np.linalg.norm(p - np.array([0.25, 0., 0.1]), axis=-1) - 0.35
    d2 = np.linalg.norm(p - np.array([-0.35, 0.2, 0.]), axis=-1) - 0.22
    q = np.abs(p - np.array([0., 0., -0.4])) - np.array([0.6, 0.6, 0.06])
    d3 = q.max(-1)
    d = np.stack([d1, d2, d3], -1)
    k = d.argmin(-1)
    col = np.array([[0.9, 0.2, 0.2], [0.2, 0.4, 0.9], [0.4, 0.8, 0.3]])[k]
    checker = ((np.floor(p[..., :2] * 6).sum(-1) % 2) * 0.4)[..., None] * (k == 2)[..., None]
    return 40.0 / (1 + np.exp(np.clip(d.min(-1) * 60, -30, 30))), np.clip(col - checker, 0, 1)


class ToyDataset:
    def __init__(self, cfg, split, device):
        self.H, self.W = cfg.H, cfg.W
        self.device = device
        self.batch_size = cfg.num_rays
        self.focal = 0.9 * cfg.W
        n = cfg.n_views if split == 'train' else cfg.n_val
        rng = np.random.RandomState(0 if split == 'train' else 1)
        ro, rd, im = [], [], []
        for i in range(n):
            pose = pose_spherical(rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.2), 2.6)
            o, d = self.get_rays(pose)
            ro.append(o)
            rd.append(d)
            im.append(self.march(o, d))
        self.rays_o = torch.from_numpy(np.stack(ro)).float()
        self.rays_d = torch.from_numpy(np.stack(rd)).float()
        self.images = torch.from_numpy(np.stack(im)).float()
        if split == 'train':
            self.rays_o = self.rays_o.view(-1, 3).to(device)
            self.rays_d = self.rays_d.view(-1, 3).to(device)
            self.images = self.images.view(-1, 3).to(device)
        self.n = len(self.images)
        print('[%s] %d views, rays %s' % (split, n, tuple(self.rays_o.shape)))

    def get_rays(self, c2w):
        i, j = np.meshgrid(np.arange(self.W, dtype=np.float32), np.arange(self.H, dtype=np.float32), indexing='xy')
        dirs = np.stack([(i + .5 - self.W * .5) / self.focal, -(j + .5 - self.H * .5) / self.focal,
                         -np.ones_like(i)], -1).reshape(-1, 3)
        d = dirs @ c2w[:3, :3].T
        d = d / np.linalg.norm(d, axis=-1, keepdims=True)
        return np.broadcast_to(c2w[:3, 3], d.shape).copy(), d

    def march(self, o, d, n=80):
        t = np.linspace(1.2, 4.2, n)
        p = o[:, None] + t[None, :, None] * d[:, None]
        s, c = toy_density(p)
        tau = s * (t[1] - t[0])
        T = np.exp(-(np.cumsum(tau, -1) - tau))
        w = T * (1 - np.exp(-tau))
        return (w[..., None] * c).sum(1) + (1 - w.sum(1))[:, None]

    def update_num_rays(self, n):
        self.batch_size = int(max(256, min(8192, n)))

    def sample(self):
        idx = torch.randint(0, self.n, (self.batch_size,), device=self.device)
        return self.rays_o[idx], self.rays_d[idx], self.images[idx]

    def __len__(self):
        return self.n
