import argparse
import os
import random
import tempfile

import numpy as np
import torch

from data_provider.data_factory import make_csv
from exp.exp_main import Exp_Main


def main():
    fix_seed = 2021
    random.seed(fix_seed)
    torch.manual_seed(fix_seed)
    np.random.seed(fix_seed)

    parser = argparse.ArgumentParser(description='Time Series Forecasting')
    parser.add_argument('--models', type=str, nargs='+', default=['PatchTST', 'NBEATS'])
    parser.add_argument('--root_path', type=str, default=None)
    parser.add_argument('--data_path', type=str, default='fake.csv')
    parser.add_argument('--features', type=str, default='M', help='options:[M, MS]')
    parser.add_argument('--checkpoints', type=str, default=None)
    parser.add_argument('--seq_len', type=int, default=96)
    parser.add_argument('--pred_len', type=int, default=24)
    parser.add_argument('--enc_in', type=int, default=5)
    parser.add_argument('--d_model', type=int, default=64)
    parser.add_argument('--n_heads', type=int, default=4)
    parser.add_argument('--e_layers', type=int, default=2)
    parser.add_argument('--d_ff', type=int, default=128)
    parser.add_argument('--patch_len', type=int, default=16)
    parser.add_argument('--stride', type=int, default=8)
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--output_attention', action='store_true')
    parser.add_argument('--num_workers', type=int, default=0)
    parser.add_argument('--itr', type=int, default=1)
    parser.add_argument('--train_epochs', type=int, default=4)
    parser.add_argument('--batch_size', type=int, default=32)
    parser.add_argument('--patience', type=int, default=2)
    parser.add_argument('--learning_rate', type=float, default=0.001)
    parser.add_argument('--loss', type=str, default='mse')
    parser.add_argument('--lradj', type=str, default='type3')
    parser.add_argument('--use_amp', action='store_true')
    parser.add_argument('--inverse', action='store_true')
    parser.add_argument('--use_gpu', type=bool, default=True)
    parser.add_argument('--gpu', type=int, default=0)
    args = parser.parse_args()
    args.use_gpu = True if torch.cuda.is_available() and args.use_gpu else False
    tmp = tempfile.mkdtemp()
    if args.root_path is None:
        args.root_path = tmp
        make_csv(os.path.join(tmp, args.data_path), channels=args.enc_in)
    args.checkpoints = args.checkpoints or os.path.join(tmp, 'checkpoints')
    print('Args in experiment:')
    print(args)

    for name in args.models:
        args.model = name
        for ii in range(args.itr):
            setting = '{}_sl{}_pl{}_dm{}_{}'.format(name, args.seq_len, args.pred_len, args.d_model, ii)
            exp = Exp_Main(args)
            print('>>>>>>>start training : {}>>>>>>>>>>>>>>>>>>>>>>>>>>'.format(setting))
            exp.train(setting)
            print('>>>>>>>testing : {}<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<'.format(setting))
            exp.test(setting)
            torch.cuda.empty_cache()


if __name__ == '__main__':
    main()
