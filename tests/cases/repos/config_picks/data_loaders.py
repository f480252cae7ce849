"""What a configuration may pick is the loader: the dataset it makes itself."""
import numpy as np
from torch.utils.data import DataLoader, Dataset


class TraceDataset(Dataset):
    def __init__(self, count):
        self.x = np.random.randn(count, 1, 256).astype(np.float32)
        self.y = np.random.randint(0, 5, count)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


class TraceLoader(DataLoader):
    def __init__(self, batch_size, shuffle=True):
        super().__init__(TraceDataset(480), batch_size=batch_size, shuffle=shuffle)
