"""A loader that is one batch ahead: in the first turn nothing is given out yet, and no batch is unknown for that."""
import torch


class Ahead:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device
        self.stream = torch.cuda.Stream()

    def __iter__(self):
        first = True
        for coming in self.loader:
            with torch.cuda.stream(self.stream):
                coming = {key: part.to(self.device, non_blocking=True) for key, part in coming.items()}
            if not first:
                yield batch
            else:
                first = False
            torch.cuda.current_stream().wait_stream(self.stream)
            batch = coming
        yield batch


def never_given(loader):
    for row in loader:
        print(float(absent))
        if row is None:
            absent = row


def train(model, loader, optimizer):
    device = torch.device("cuda")
    model.to(device)
    loader = torch.utils.data.DataLoader(loader, 16, pin_memory=True)
    for batch in Ahead(loader, device):
        loss = model(batch["x"]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(float(batch["x"].max()))  # sync: host-read likely
