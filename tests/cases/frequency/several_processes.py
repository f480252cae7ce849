"""What is done for other processes is told with that there are some. Parts of a batch that a loss goes through are no batches."""
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)


def is_distributed():
    return dist.is_available() and dist.is_initialized()


def reduced(loss, world_size):
    if world_size < 2:
        return loss
    dist.all_reduce(loss)
    return loss / world_size


def shifted(logits, labels):
    index = torch.arange(logits.size(0)).to(logits.device)  # sync: copy-to-device
    return logits[index, labels]


def train(dataset, world_size):
    for images, labels in DataLoader(dataset):
        images, labels = images.cuda(), labels.cuda()  # sync: copy-to-device x2
        loss = 0
        for part, label in zip([images, images * 2], [labels, labels]):
            loss = loss + shifted(part, label).mean()
        optimizer.zero_grad()
        model(images).mean().add(loss).backward()
        optimizer.step()
        if is_distributed():
            dist.barrier()  # sync: library-wait
        if world_size > 1:
            print(reduced(loss, world_size).item())  # sync: host-read
