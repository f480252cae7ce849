import numpy as np
import pandas as pd
import torch
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Dataset


class Dataset_Custom(Dataset):
    def __init__(self, root_path, flag, size, scale=True):
        self.seq_len, self.label_len, self.pred_len = size
        self.scale = scale
        self.scaler = StandardScaler()
        df = pd.read_csv(root_path)
        data = df[df.columns[1:]].values
        self.scaler.fit(data)
        self.data = self.scaler.transform(data)
        self.stamp = np.zeros((len(df), 4))

    def __getitem__(self, index):
        s_end = index + self.seq_len
        r_begin = s_end - self.label_len
        r_end = r_begin + self.label_len + self.pred_len
        return self.data[index:s_end], self.data[r_begin:r_end], self.stamp[index:s_end], self.stamp[r_begin:r_end]

    def __len__(self):
        return len(self.data) - self.seq_len - self.pred_len + 1

    def inverse_transform(self, data):
        return self.scaler.inverse_transform(data)


data_dict = {"custom": Dataset_Custom}


def data_provider(args, flag):
    Data = data_dict[args.data]
    shuffle_flag = False if flag == "test" else True
    data_set = Data(args.root_path, flag, [args.seq_len, args.label_len, args.pred_len])
    print(flag, len(data_set))
    data_loader = DataLoader(data_set, batch_size=args.batch_size, shuffle=shuffle_flag, num_workers=args.num_workers, drop_last=True)
    return data_set, data_loader
