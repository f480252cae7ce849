"""A place that is the CPU's or the GPU's: the run on the GPU is the one that is priced."""
import torch


class Loop:
    def __init__(self, model, device=None):
        if device is None:
            device = "cpu"
        self.device = torch.device(device)
        self.model = model.to(self.device)

    def run(self, loader):
        total = []
        for batch in loader:
            batch = [part.to(self.device) for part in batch]  # sync: copy-to-device
            batch = [part.to(self.device) for part in batch]
            total.append(self.model(batch[0]).sum())
        return total


data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.rand(64, 8)), batch_size=8)
Loop(torch.nn.Linear(8, 1), torch.device("cuda")).run(data)
Loop(torch.nn.Linear(8, 1)).run(data)
