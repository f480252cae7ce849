import math

import torch
import torch.nn.functional as F
from torch.utils.data import Dataset, Sampler


class PairedImageDataset(Dataset):
    def __init__(self, opt, scale, seed=0):
        self.opt, self.scale, self.seed = opt, scale, seed

    def __len__(self):
        return self.opt['num']

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(self.seed * 10007 + index)
        s = self.opt['gt_size']
        coarse = torch.rand(1, 3, s // 8, s // 8, generator=g)
        fine = torch.rand(1, 3, s // 2, s // 2, generator=g)
        gt = 0.8 * F.interpolate(coarse, size=s, mode='bicubic') + 0.2 * F.interpolate(fine, size=s)
        gt = gt.clamp(0, 1)
        if self.opt.get('use_hflip') and index % 2:
            gt = gt.flip(-1)
        lq = F.interpolate(gt, scale_factor=1 / self.scale, mode='bicubic', antialias=True).clamp(0, 1)
        return {'lq': lq[0], 'gt': gt[0], 'gt_path': f'{index:04d}.png'}


class EnlargedSampler(Sampler):
    def __init__(self, dataset, ratio=1):
        self.dataset = dataset
        self.epoch = 0
        self.num_samples = math.ceil(len(dataset) * ratio)

    def __iter__(self):
        g = torch.Generator()
        g.manual_seed(self.epoch)
        indices = torch.randperm(self.num_samples, generator=g).tolist()
        return iter([v % len(self.dataset) for v in indices])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch


class CUDAPrefetcher:
    def __init__(self, loader, device):
        self.ori_loader = loader
        self.loader = iter(loader)
        self.device = device
        self.stream = torch.cuda.Stream() if device.type == 'cuda' else None
        self.preload()

    def preload(self):
        try:
            self.batch = next(self.loader)
        except StopIteration:
            self.batch = None
            return None
        if self.stream is None:
            return
        with torch.cuda.stream(self.stream):
            for k, v in self.batch.items():
                if torch.is_tensor(v):
                    self.batch[k] = self.batch[k].to(device=self.device, non_blocking=True)

    def next(self):
        if self.stream is not None:
            torch.cuda.current_stream().wait_stream(self.stream)
        batch = self.batch
        self.preload()
        return batch

    def reset(self):
        self.loader = iter(self.ori_loader)
        self.preload()
