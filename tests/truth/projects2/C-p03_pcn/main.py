import argparse
import os
import random
import tempfile
from pprint import pprint

import numpy as np
import torch

from core.train import train_net
from core.utils import get_config, setup_logging


def get_args_from_command_line():
    parser = argparse.ArgumentParser(description='The argument parser of the completion runner')
    parser.add_argument('--gpu', dest='gpu_id', help='GPU device to use', default='0', type=str)
    parser.add_argument('--cfg', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), 'config.json'))
    parser.add_argument('--out', default=None)
    parser.add_argument('--seed', default=1, type=int)
    return parser.parse_args()


def main():
    args = get_args_from_command_line()
    cfg = get_config(args.cfg)
    print('Use config:')
    pprint(cfg)
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    out_dir = args.out or tempfile.mkdtemp(prefix=cfg['name'])
    setup_logging(out_dir)
    best = train_net(cfg, out_dir)
    ckpt = torch.load(os.path.join(out_dir, 'ckpt-best.pth'))
    print('best CD-L1 x1000: %.4f at epoch %d' % (best, ckpt['epoch_index']))


if __name__ == '__main__':
    main()
