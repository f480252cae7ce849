from datasets.seq_blobs import SequentialBlobs

NAMES = {SequentialBlobs.NAME: SequentialBlobs}


def get_dataset(args):
    assert args.dataset in NAMES
    return NAMES[args.dataset](args)
