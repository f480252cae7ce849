# FSDP computes on the GPU wherever its module was, and a loop over the keys of a batch moves its parts.
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, fully_shard
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    def __len__(self):
        return 900

    def __getitem__(self, index):
        return {"source": torch.randn(3), "target": torch.randn(3)}


def train(model, loader, optimizer, rank):
    for batch in loader:
        for key in batch.keys():
            batch[key] = batch[key].to(rank)  # sync: copy-to-device
        loss = model(batch["source"]).sum()  # is: cuda float scalar
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())  # sync: host-read


def main(rank):
    loader = DataLoader(Pairs(), batch_size=4)
    model = FSDP(torch.nn.Linear(3, 3), device_id=torch.cuda.current_device())
    train(model, loader, torch.optim.AdamW(model.parameters()), rank)
    other = torch.nn.Linear(3, 3)
    fully_shard(other)
    for batch in loader:
        for key, part in batch.items():
            batch[key] = part.cuda()  # sync: copy-to-device
        loss = other(batch["source"]).sum()
        loss.backward()
        print(loss.item())  # sync: host-read


main(0)
