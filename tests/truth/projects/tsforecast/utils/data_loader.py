import numpy as np
from torch.utils.data import DataLoader, Dataset

from utils.tools import StandardScaler


class Dataset_ETT_hour(Dataset):
    """Same splits as ETTh1 (12/4/4 'months'), values are simulated transformer loads."""

    def __init__(self, flag='train', size=None, scale=True, inverse=False, hours=1600, seed=3):
        self.seq_len, self.label_len, self.pred_len = size
        assert flag in ['train', 'test', 'val']
        self.set_type = {'train': 0, 'val': 1, 'test': 2}[flag]
        self.scale = scale
        self.inverse = inverse
        self.hours, self.seed = hours, seed
        self.__read_data__()

    def __read_data__(self):
        self.scaler = StandardScaler()
        rs = np.random.RandomState(self.seed)
        t = np.arange(self.hours)
        cols = []
        for i in range(7):
            daily = rs.rand() * 3 * np.sin(2 * np.pi * t / 24 + rs.rand() * 6)
            weekly = rs.rand() * np.sin(2 * np.pi * t / 168 + rs.rand() * 6)
            cols.append(10 + daily + weekly + 0.05 * np.cumsum(rs.randn(self.hours)) + 0.3 * rs.randn(self.hours))
        data = np.stack(cols, 1).astype(np.float32)
        n = self.hours
        border1s = [0, int(n * .6) - self.seq_len, int(n * .8) - self.seq_len]
        border2s = [int(n * .6), int(n * .8), n]
        border1, border2 = border1s[self.set_type], border2s[self.set_type]
        if self.scale:
            self.scaler.fit(data[border1s[0]:border2s[0]])
            data = self.scaler.transform(data)
        hour = ((t % 24) / 23.0 - 0.5)[:, None]
        dow = ((t // 24 % 7) / 6.0 - 0.5)[:, None]
        self.data_x = data[border1:border2]
        self.data_stamp = np.concatenate([hour, dow], 1)[border1:border2]

    def __getitem__(self, index):
        s_end = index + self.seq_len
        r_begin, r_end = s_end - self.label_len, s_end + self.pred_len
        return (self.data_x[index:s_end], self.data_x[r_begin:r_end],
                self.data_stamp[index:s_end], self.data_stamp[r_begin:r_end])

    def __len__(self):
        return len(self.data_x) - self.seq_len - self.pred_len + 1

    def inverse_transform(self, data):
        return self.scaler.inverse_transform(data)


def data_provider(args, flag):
    shuffle = flag != 'test'
    ds = Dataset_ETT_hour(flag, size=[args.seq_len, args.label_len, args.pred_len])
    print(flag, len(ds))
    return ds, DataLoader(ds, batch_size=args.batch_size, shuffle=shuffle, num_workers=args.num_workers, drop_last=True)
