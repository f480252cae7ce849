"""The name of a `with` is given to the whole of `a if c else b`, which the grammar reads as given to b."""
import torch


def fit(model, loader, quiet, bar, plain):
    with bar(loader) if not quiet else plain(loader) as batches:
        for x in batches:
            loss = model(x.cuda(non_blocking=True)).sum()
            loss.backward()
            print(loss.item())  # sync: host-read
    with torch.ones(2).cuda() if quiet else torch.ones(3).cuda() as kept:
        return kept  # is: cuda float
