import argparse
import random

import numpy as np
import torch

from exp.exp_main import Exp_Main

fix_seed = 2021
random.seed(fix_seed)
torch.manual_seed(fix_seed)
np.random.seed(fix_seed)

parser = argparse.ArgumentParser(description='Long-term time series forecasting')
parser.add_argument('--model', type=str, default='Transformer', help='options: [DLinear, Transformer]')
parser.add_argument('--checkpoints', type=str, default='/tmp/tsforecast_ckpt/')
parser.add_argument('--seq_len', type=int, default=48)
parser.add_argument('--label_len', type=int, default=24)
parser.add_argument('--pred_len', type=int, default=24)
parser.add_argument('--enc_in', type=int, default=7)
parser.add_argument('--d_model', type=int, default=32)
parser.add_argument('--e_layers', type=int, default=2)
parser.add_argument('--dropout', type=float, default=0.05)
parser.add_argument('--inverse', action='store_true')
parser.add_argument('--num_workers', type=int, default=0)
parser.add_argument('--itr', type=int, default=2, help='experiments times')
parser.add_argument('--train_epochs', type=int, default=3)
parser.add_argument('--batch_size', type=int, default=32)
parser.add_argument('--patience', type=int, default=2)
parser.add_argument('--print_every', type=int, default=10)
parser.add_argument('--learning_rate', type=float, default=0.001)
parser.add_argument('--lradj', type=str, default='type1')
parser.add_argument('--use_amp', action='store_true', default=False)
parser.add_argument('--use_gpu', type=bool, default=True)
parser.add_argument('--gpu', type=int, default=0)
args = parser.parse_args()
args.use_gpu = True if torch.cuda.is_available() and args.use_gpu else False
print('Args in experiment:')
print(args)

for ii in range(args.itr):
    setting = 'ett_{}_sl{}_pl{}_dm{}_{}'.format(args.model, args.seq_len, args.pred_len, args.d_model, ii)
    exp = Exp_Main(args)
    print('>>>>>>>start training : {}>>>>>>>>>>>>>>>>>>>>>>>>>>'.format(setting))
    exp.train(setting)
    print('>>>>>>>testing : {}<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<'.format(setting))
    exp.test(setting)
    torch.cuda.empty_cache()
