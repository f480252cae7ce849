from torchtext.legacy.data import BucketIterator


def batches(device):
    return BucketIterator.splits(open_fields(), batch_size=128, device=device)[0]


def sentences():
    with open("dev.txt") as f:
        return [([int(t) for t in line.split()], []) for line in f]


def open_fields():
    return ()
