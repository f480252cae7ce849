"""A flag that is made of itself, and two that are made of each other, say nothing and end."""
import torch


def train(model, loader, verbose=None, debug=None):
    verbose = verbose or debug
    loud = debug
    for step, x in enumerate(loader):
        loss = model(x.cuda(non_blocking=True)).sum()
        loss.backward()
        if verbose:
            print(loss.item())  # sync: host-read
        quiet = loud and step > 3
        loud = quiet or step > 5
        if quiet:
            print(loss.item())  # sync: host-read
