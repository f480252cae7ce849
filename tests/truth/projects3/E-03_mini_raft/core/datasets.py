import numpy as np
import torch
import torch.nn.functional as F
import torch.utils.data as data


def _fractal_noise(g, channels, h, w, octaves=(3, 6, 12, 24, 48), decay=0.75):
    out = torch.zeros(1, channels, h, w)
    amp = 1.0
    for o in octaves:
        z = torch.randn(1, channels, o, max(2, int(o * w / h)), generator=g)
        out += amp * F.interpolate(z, size=(h, w), mode='bicubic', align_corners=True)
        amp *= decay
    return out


class SyntheticFlow(data.Dataset):
    """ FlyingNoise: textured background with a smooth flow + a few moving textured discs """

    def __init__(self, length=256, size=(96, 128), max_flow=8.0, seed=0):
        self.length = length
        self.size = size
        self.max_flow = max_flow
        self.seed = seed

    def __len__(self):
        return self.length

    def _background_flow(self, g, yy, xx, h, w):
        rot, zoom = (torch.rand(2, generator=g) - 0.5).tolist()
        tx, ty = ((torch.rand(2, generator=g) - 0.5) * self.max_flow).tolist()
        u = tx + 0.12 * zoom * (xx - w / 2) - 0.12 * rot * (yy - h / 2)
        v = ty + 0.12 * rot * (xx - w / 2) + 0.12 * zoom * (yy - h / 2)
        wob = _fractal_noise(g, 2, h, w, octaves=(3, 5), decay=0.5)[0]
        return torch.stack([u, v]) + wob

    def __getitem__(self, index):
        h, w = self.size
        g = torch.Generator().manual_seed(self.seed * 100003 + index)
        yy, xx = torch.meshgrid(torch.arange(h).float(), torch.arange(w).float(), indexing='ij')

        img2 = _fractal_noise(g, 3, h, w)
        flow = self._background_flow(g, yy, xx, h, w)

        n_obj = int(torch.randint(1, 4, (1,), generator=g))
        for _ in range(n_obj):
            cx, cy, r = (torch.rand(3, generator=g) * torch.tensor([w * 1.0, h * 1.0, 12.0])).tolist()
            r = r + 8.0
            motion = (torch.rand(2, generator=g) - 0.5) * 2 * self.max_flow
            tex = _fractal_noise(g, 3, h, w, octaves=(12, 24)) + torch.randn(1, 3, 1, 1, generator=g)
            m1 = ((xx - cx) ** 2 + (yy - cy) ** 2 < r * r)
            m2 = ((xx - cx - motion[0]) ** 2 + (yy - cy - motion[1]) ** 2 < r * r)
            img2 = torch.where(m2, tex, img2)
            flow = torch.where(m1, motion[:, None, None], flow)

        # img1(x) = img2(x + flow(x))
        tx, ty = xx + flow[0], yy + flow[1]
        grid = torch.stack([2 * tx / (w - 1) - 1, 2 * ty / (h - 1) - 1], dim=-1)[None]
        img1 = F.grid_sample(img2, grid, align_corners=True, padding_mode='border')
        valid = (tx >= 0) & (tx <= w - 1) & (ty >= 0) & (ty <= h - 1)

        img1 = (torch.sigmoid(img1[0]) * 255 + 2 * torch.randn(3, h, w, generator=g)).clamp(0, 255)
        img2 = (torch.sigmoid(img2[0]) * 255 + 2 * torch.randn(3, h, w, generator=g)).clamp(0, 255)
        return img1, img2, flow, valid.float()


def fetch_dataloader(args):
    train_set = SyntheticFlow(args.num_train, args.image_size, seed=1)
    loader = data.DataLoader(train_set, batch_size=args.batch_size, pin_memory=True, shuffle=True,
                             num_workers=args.num_workers, drop_last=True)
    print('Training with %d image pairs' % len(train_set))
    return loader


def flow_to_color(flow):
    """ flow: HxWx2 array -> HxWx3 uint8 """
    u, v = flow[..., 0], flow[..., 1]
    rad = np.hypot(u, v)
    rad = rad / (rad.max() + 1e-5)
    hue = (np.arctan2(v, u) + np.pi) / (2 * np.pi) * 6
    x = 1 - np.abs(hue % 2 - 1)
    z = np.zeros_like(x)
    o = np.ones_like(x)
    table = [(o, x, z), (x, o, z), (z, o, x), (z, x, o), (x, z, o), (o, z, x)]
    k = np.clip(hue.astype(int), 0, 5)
    rgb = np.zeros(flow.shape[:2] + (3,))
    for i, chans in enumerate(table):
        sel = k == i
        for c in range(3):
            rgb[..., c][sel] = chans[c][sel]
    rgb = 1 - rad[..., None] * (1 - rgb)
    return (rgb * 255).astype(np.uint8)


def write_ppm(path, img):
    with open(path, 'wb') as f:
        f.write(b'P6\n%d %d\n255\n' % (img.shape[1], img.shape[0]))
        f.write(np.ascontiguousarray(img).tobytes())
