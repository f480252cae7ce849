import csv
import os

import numpy as np
from torch.utils.data import DataLoader, Dataset


class StandardScaler():
    def __init__(self):
        self.mean = 0.
        self.std = 1.

    def fit(self, data):
        self.mean = data.mean(0)
        self.std = data.std(0) + 1e-8

    def transform(self, data):
        return (data - self.mean) / self.std

    def inverse_transform(self, data):
        return (data * self.std) + self.mean


def make_csv(path, n=2400, channels=5, seed=0):
    rng = np.random.RandomState(seed)
    t = np.arange(n)
    cols = []
    for c in range(channels):
        s = np.sin(2 * np.pi * t / 24 + rng.rand() * 6) * rng.uniform(1, 3)
        s += np.sin(2 * np.pi * t / 168 + rng.rand() * 6) * rng.uniform(.5, 2)
        s += np.cumsum(rng.randn(n)) * 0.05 + rng.randn(n) * 0.3 + rng.uniform(-5, 20)
        cols.append(s)
    with open(path, 'w', newline='') as f:
        w = csv.writer(f)
        w.writerow(['hour'] + ['c%d' % i for i in range(channels - 1)] + ['OT'])
        for i in range(n):
            w.writerow([i] + ['%.5f' % c[i] for c in cols])


class Dataset_Custom(Dataset):
    def __init__(self, root_path, data_path, flag='train', size=None, scale=True):
        self.seq_len, self.pred_len = size
        type_map = {'train': 0, 'val': 1, 'test': 2}
        self.set_type = type_map[flag]
        self.scale = scale
        self.root_path = root_path
        self.data_path = data_path
        self.__read_data__()

    def __read_data__(self):
        self.scaler = StandardScaler()
        raw = np.loadtxt(os.path.join(self.root_path, self.data_path), delimiter=',', skiprows=1)
        num_train = int(len(raw) * 0.7)
        num_test = int(len(raw) * 0.2)
        num_vali = len(raw) - num_train - num_test
        border1s = [0, num_train - self.seq_len, len(raw) - num_test - self.seq_len]
        border2s = [num_train, num_train + num_vali, len(raw)]
        border1, border2 = border1s[self.set_type], border2s[self.set_type]
        hours, data = raw[:, 0], raw[:, 1:]
        if self.scale:
            self.scaler.fit(data[border1s[0]:border2s[0]])
            data = self.scaler.transform(data)
        self.data_x = data[border1:border2]
        self.data_stamp = np.stack([hours % 24 / 23.0 - 0.5, hours // 24 % 7 / 6.0 - 0.5], 1)[border1:border2]

    def __getitem__(self, index):
        s_end = index + self.seq_len
        r_end = s_end + self.pred_len
        return self.data_x[index:s_end], self.data_x[s_end:r_end], self.data_stamp[index:s_end]

    def __len__(self):
        return len(self.data_x) - self.seq_len - self.pred_len + 1

    def inverse_transform(self, data):
        return self.scaler.inverse_transform(data)


def data_provider(args, flag):
    shuffle = flag == 'train'
    data_set = Dataset_Custom(args.root_path, args.data_path, flag, [args.seq_len, args.pred_len])
    print(flag, len(data_set))
    return data_set, DataLoader(data_set, batch_size=args.batch_size, shuffle=shuffle,
                                num_workers=args.num_workers, drop_last=flag != 'test')
