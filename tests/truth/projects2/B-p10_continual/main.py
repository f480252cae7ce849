import json
import os
import random
import tempfile
from argparse import ArgumentParser

import numpy as np
import torch
import torch.nn as nn

from datasets import NAMES, get_dataset
from datasets.seq_blobs import Prototypes
from models import get_all_models, get_model
from utils.training import train


def set_random_seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


def parse_args():
    parser = ArgumentParser(description='mini-mammoth', allow_abbrev=False)
    parser.add_argument('--dataset', type=str, default='seq-blobs', choices=list(NAMES))
    parser.add_argument('--models', type=str, default='sgd,er', help='comma separated: ' + ', '.join(get_all_models()))
    parser.add_argument('--lr', type=float, default=0.05)
    parser.add_argument('--n_epochs', type=int, default=2)
    parser.add_argument('--batch_size', type=int, default=32)
    parser.add_argument('--per_class', type=int, default=160)
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--non_verbose', action='store_true')
    rehearsal = parser.add_argument_group('rehearsal')
    rehearsal.add_argument('--buffer_size', type=int, default=200)
    rehearsal.add_argument('--minibatch_size', type=int, default=32)
    rehearsal.add_argument('--alpha', type=float, default=0.3)
    rehearsal.add_argument('--beta', type=float, default=0.5)
    ewc = parser.add_argument_group('ewc')
    ewc.add_argument('--e_lambda', type=float, default=50.0)
    ewc.add_argument('--gamma', type=float, default=1.0)
    ewc.add_argument('--fisher_batches', type=int, default=4)
    return parser.parse_args()


def main():
    args = parse_args()
    table = {}
    for name in args.models.split(','):
        set_random_seed(args.seed)
        dataset = get_dataset(args)
        model = get_model(name, args, dataset.get_backbone(), nn.CrossEntropyLoss(), Prototypes.augment)
        table[name] = train(model, dataset, args)
    out = os.path.join(tempfile.mkdtemp(prefix='mammoth_'), 'results.json')
    with open(out, 'w') as f:
        json.dump({'args': vars(args), 'results': table}, f, indent=2)
    print('\n%-10s %10s %10s %10s %10s' % ('model', 'class-il', 'task-il', 'bwt', 'forget'))
    for name, r in table.items():
        print('%-10s %10.2f %10.2f %10.2f %10.2f' % (name, r['class_il'], r['task_il'], r['bwt'], r['forgetting']))


if __name__ == '__main__':
    main()
