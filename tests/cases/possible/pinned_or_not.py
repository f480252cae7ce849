# options: --min-confidence possible
"""Who asks for a copy that does not block most often has pinned the memory that it comes from; a batch that is known to be
pageable is told of."""
import torch
from torch.utils.data import DataLoader


def prefetch(queue, pin, device):
    loader = DataLoader(queue.dataset, batch_size=4096, pin_memory=pin)
    for batch in loader:
        x = batch["image"].to(device, non_blocking=True)
        print(x.shape)
    for item in queue:
        print(item.to(device, non_blocking=True).shape)


def load(dataset, model):
    model = model.cuda()
    for x in DataLoader(dataset, batch_size=4096):
        model(x.cuda(non_blocking=True))  # sync: copy-to-device possible, pageable-async note
