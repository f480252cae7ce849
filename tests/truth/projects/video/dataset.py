import torch
from torch.utils.data import Dataset

# dx, dy per class
MOTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]


class MotionClips(Dataset):
    """Returns (C, T, H, W) uint8 clips, the label and the id of the source video."""

    def __init__(self, cfg, split):
        self.cfg, self.split = cfg, split
        self.n = cfg.train_clips if split == "train" else cfg.val_videos * cfg.clips_per_video

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        c = self.cfg
        vid = i if self.split == "train" else i // c.clips_per_video
        g = torch.Generator().manual_seed(vid + (0 if self.split == "train" else 10**6))
        label = int(torch.randint(c.num_classes, (1,), generator=g))
        x, y = torch.randint(8, c.size - 8, (2,), generator=g).tolist()
        clip = torch.randint(0, 60, (3, c.clip_len, c.size, c.size), dtype=torch.uint8)
        dx, dy = MOTIONS[label]
        for t in range(c.clip_len):
            cx, cy = (x + 2 * dx * t) % (c.size - 6), (y + 2 * dy * t) % (c.size - 6)
            clip[:, t, cy:cy + 6, cx:cx + 6] = 230
        return clip, label, vid
