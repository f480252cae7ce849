import logging
import os
import random
import sys
import tempfile

import torch
from torch.utils.data import DataLoader

from conf import args, to_attr
from denoiser.audio import NoisyCleanSet, generate_corpus
from denoiser.demucs import Demucs
from denoiser.solver import Solver

logger = logging.getLogger("train")


def run(args):
    torch.manual_seed(args.seed)
    random.seed(args.seed)
    root = tempfile.mkdtemp(prefix="denoiser_")
    sets = {}
    for k, (split, n) in enumerate(args.n_files.items()):
        d = os.path.join(root, split)
        os.makedirs(d)
        sets[split] = generate_corpus(d, n, args.sample_rate, seed=k)

    model = Demucs(**args.demucs)
    logger.info(model)
    mb = sum(p.numel() for p in model.parameters()) * 4 / 2**20
    logger.info("Size: %.1f MB", mb)

    length, stride = int(args.segment * args.sample_rate), int(args.stride * args.sample_rate)
    tr = NoisyCleanSet(sets["train"], length=length, stride=stride, pad=True)
    cv = NoisyCleanSet(sets["valid"], length=None)
    tt = NoisyCleanSet(sets["test"], length=None)
    data = {
        "tr_loader": DataLoader(tr, batch_size=args.batch_size, shuffle=True, num_workers=args.num_workers),
        "cv_loader": DataLoader(cv, batch_size=1, num_workers=args.num_workers),
        "tt_loader": DataLoader(tt, batch_size=1),
    }
    if torch.cuda.is_available():
        model.cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, args.beta2))
    Solver(data, model, optimizer, args, root).train()


def main():
    logging.basicConfig(level=logging.INFO, format="[%(asctime)s][%(name)s] - %(message)s", stream=sys.stdout)
    # hydra like overrides: key=value
    for override in sys.argv[1:]:
        key, value = override.split("=")
        args[key] = type(args[key])(value)
    try:
        run(args)
    except Exception:
        logger.exception("Some error happened")
        os._exit(1)


if __name__ == "__main__":
    main()
