"""A batch whose keys a loop goes through is a dict: what is put under a key replaces a reference and copies nothing."""
import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, batch):
        return self.head(self.embed(batch["kinds"])).squeeze(-1)


def train(dataset, config):
    model = Net().cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        for step, batch in enumerate(DataLoader(dataset, batch_size=32)):
            optimizer.zero_grad()
            if config["use_gpu"]:
                for key in batch:
                    batch[key] = batch[key].to("cuda")  # sync: copy-to-device
            loss = (model(batch) - batch["target"]).abs().mean()
            loss.backward()
            optimizer.step()


def validate(model, loader):
    worst = 0.0
    for sample in loader:
        for name in sample.keys():
            sample[name] = sample[name].cuda()  # sync: copy-to-device
        worst = max(worst, (model(sample) - sample["target"]).abs().max().item())  # sync: host-read
    return worst


def test(model, loader):
    errors = []
    for sample in loader:
        for name, value in sample.items():
            sample[name] = value.cuda()  # sync: copy-to-device
        sample = {k: sample[k].float() for k in sample if k in sample}
        errors.append((model(sample) - sample["target"]).abs().mean())
    return torch.stack(errors).mean().item()


def smooth(loader):
    """The batch is one tensor, whose rows are gone through by their number: what is put there is copied."""
    total = torch.zeros((), device="cuda")
    for images in loader:
        for i in range(len(images)):
            images[i] = images[i].cuda().sqrt()  # sync: copy-to-device copy-to-host
        total += images.cuda().mean()  # sync: copy-to-device
    return total
