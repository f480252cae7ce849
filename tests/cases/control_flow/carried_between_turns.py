"""What a turn leaves for the next: read before it is bound, left by `break`."""
import torch

device = torch.device("cuda")
model = torch.nn.Linear(10, 1).to(device)


def read_before_it_is_bound(loader):
    last = 0.0
    for x in loader:
        print(f"{last:.3f}")  # sync: host-read
        last = model(x.to(device)).mean()  # sync: copy-to-device


def left_by_break(batch):
    best = 0.0
    x = batch.to(device)
    while True:
        y = model(x)
        if y.mean() < 0.1:  # sync: tensor-truth
            break
        best = y.mean()
    for _ in range(10):
        print(best)  # sync: print-tensor


def through_an_inner_loop(loader):
    scale = 1.0
    for x in loader:
        for _ in range(4):
            if scale > 2:  # sync: tensor-truth
                break
            scale = model(x.to(device)).mean()  # sync: copy-to-device


def bound_first(loader):
    loss = torch.zeros(1)
    for x in loader:
        loss = 0.5
        print(loss)
        loss = model(x.to(device)).mean()  # sync: copy-to-device
