# options: --min-confidence possible
"""A function with the loop of epochs is the run: what it does before runs once, what an epoch does is no set-up."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def train(dataset, width: int, epochs: int = 90):
    dist.init_process_group("nccl")
    device = torch.device("cuda")
    weights = torch.tensor([0.2, 0.8], device=device)
    model = DistributedDataParallel(nn.Linear(width, 2).to(device))
    loss_fn = nn.CrossEntropyLoss(weight=weights)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(dataset, batch_size=64, pin_memory=True)
    for epoch in range(epochs):
        total = torch.zeros((), device=device)
        for x, y in loader:
            loss = loss_fn(model(x.to(device, non_blocking=True)), y.to(device, non_blocking=True))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.detach()
        mean = torch.tensor([float(total), len(loader)], device=device)  # sync: host-read note, tensor-from-host note
        dist.all_reduce(mean)
        dist.barrier()  # sync: library-wait note


def train_one_epoch(model: nn.Module, loader: DataLoader, opt: torch.optim.Optimizer):
    """An epoch is not the run: it is called again and again."""
    total = torch.zeros((), device="cuda")
    for x, y in loader:
        x, y = x.cuda(), y.cuda()  # sync: copy-to-device certain, copy-to-device certain
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.detach()
    return total.item() / len(loader)  # sync: host-read likely
