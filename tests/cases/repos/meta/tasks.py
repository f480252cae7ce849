import torch


class TaskLoader(torch.utils.data.Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, i):
        return torch.randn(5, 1, 28, 28), torch.arange(5), torch.randn(75, 1, 28, 28), torch.arange(75) % 5
