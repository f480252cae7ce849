import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from core.registry import Registry, build_from_cfg

DATASETS = Registry('dataset')


@DATASETS.register_module()
class ToyCIFAR(Dataset):
    CLASSES = tuple('c%d' % i for i in range(10))

    def __init__(self, num=256, size=32, test_mode=False, mean=(0.5,) * 3, std=(0.25,) * 3):
        rng = np.random.RandomState(1 if test_mode else 0)
        self.test_mode = test_mode
        self.gt_labels = rng.randint(0, len(self.CLASSES), size=num)
        self.imgs = rng.rand(num, size, size, 3).astype(np.float32)
        for i, l in enumerate(self.gt_labels):
            self.imgs[i, l * 3:l * 3 + 3] += 1.0
        self.mean = np.array(mean, dtype=np.float32)
        self.std = np.array(std, dtype=np.float32)

    def __len__(self):
        return len(self.imgs)

    def __getitem__(self, idx):
        img = self.imgs[idx]
        if not self.test_mode and np.random.rand() < 0.5:
            img = img[:, ::-1]
        img = (img - self.mean) / self.std
        img = torch.from_numpy(np.ascontiguousarray(img.transpose(2, 0, 1)))
        return dict(img=img, gt_label=int(self.gt_labels[idx]))

    def evaluate(self, results, topk=(1, 5)):
        results = np.vstack(results)
        gt = self.gt_labels
        assert len(results) == len(gt)
        order = np.argsort(-results, axis=1)
        out = {}
        for k in topk:
            out['accuracy_top-%d' % k] = float(
                np.mean([gt[i] in order[i, :k] for i in range(len(gt))]) * 100)
        return out


def build_dataset(cfg):
    return build_from_cfg(cfg, DATASETS)


def build_dataloader(dataset, samples_per_gpu, workers_per_gpu, shuffle=True):
    return DataLoader(dataset, batch_size=samples_per_gpu, shuffle=shuffle,
                      num_workers=workers_per_gpu, pin_memory=False, drop_last=shuffle)
