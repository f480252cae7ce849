import argparse
import random
import tempfile

import torch

from molgnn import __version__
from molgnn.registry import TASKS
from molgnn import tasks  # noqa: F401


def main():
    p = argparse.ArgumentParser(f"molgnn {__version__}")
    p.add_argument("--tasks", nargs="+", default=["mol", "link"])
    p.add_argument("--conv", default="gine", choices=["gine", "gat", "sage"])
    p.add_argument("--pool", default="edge", choices=["edge", "topk", "none"])
    p.add_argument("--dim", type=int, default=64)
    p.add_argument("--depth", type=int, default=4)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--max_nodes", type=int, default=512)
    p.add_argument("--link_batch", type=int, default=256)
    p.add_argument("--num_workers", type=int, default=0)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--out", default=None)
    args = p.parse_args()
    args.out = args.out or tempfile.mkdtemp()
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for name in args.tasks:
        print("=" * 20, name, "=" * 20)
        TASKS.build(name, args, device).run()


if __name__ == "__main__":
    main()
