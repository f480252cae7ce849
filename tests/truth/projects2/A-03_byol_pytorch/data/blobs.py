import numpy as np
from PIL import Image, ImageDraw
from torch.utils.data import Dataset


class PolygonDataset(Dataset):
    """Draws regular polygons with k+3 corners (and two hues of background), as PIL images."""

    def __init__(self, n, num_classes=8, size=48, transform=None, seed=0):
        rng = np.random.RandomState(seed)
        self.labels = rng.randint(0, num_classes, size=n)
        self.images = []
        self.transform = transform
        for lab in self.labels:
            bg = tuple(int(v) for v in rng.randint(0, 90, size=3))
            im = Image.new('RGB', (size, size), bg)
            d = ImageDraw.Draw(im)
            corners = 3 + int(lab) % 4
            r = rng.uniform(0.25, 0.42) * size
            cx, cy = rng.uniform(0.42, 0.58, size=2) * size
            off = rng.uniform(0, 2 * np.pi)
            pts = [(float(cx + r * np.cos(off + 2 * np.pi * i / corners)),
                    float(cy + r * np.sin(off + 2 * np.pi * i / corners))) for i in range(corners)]
            fill = tuple(int(v) for v in rng.randint(130, 255, size=3))
            if int(lab) < 4:
                d.polygon(pts, fill=fill)
            else:
                d.polygon(pts, outline=fill)
                d.line(pts + [pts[0]], fill=fill, width=3)
            self.images.append(im)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, idx):
        img = self.images[idx]
        if self.transform is not None:
            img = self.transform(img)
        return img, int(self.labels[idx])
