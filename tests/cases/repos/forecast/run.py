import argparse
import random

import numpy as np
import torch

from exp.exp_forecasting import Exp_Forecast

if __name__ == "__main__":
    fix_seed = 2021
    random.seed(fix_seed)
    torch.manual_seed(fix_seed)
    np.random.seed(fix_seed)
    parser = argparse.ArgumentParser(description="TimesNet")
    parser.add_argument("--is_training", type=int, default=1)
    parser.add_argument("--model", type=str, default="DLinear")
    parser.add_argument("--data", type=str, default="custom")
    parser.add_argument("--root_path", type=str, default="./data/ETTh1.csv")
    parser.add_argument("--features", type=str, default="M")
    parser.add_argument("--checkpoints", type=str, default="./checkpoints/")
    parser.add_argument("--seq_len", type=int, default=96)
    parser.add_argument("--label_len", type=int, default=48)
    parser.add_argument("--pred_len", type=int, default=96)
    parser.add_argument("--enc_in", type=int, default=7)
    parser.add_argument("--c_out", type=int, default=7)
    parser.add_argument("--d_model", type=int, default=512)
    parser.add_argument("--num_workers", type=int, default=10)
    parser.add_argument("--itr", type=int, default=1)
    parser.add_argument("--train_epochs", type=int, default=10)
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--patience", type=int, default=3)
    parser.add_argument("--learning_rate", type=float, default=0.0001)
    parser.add_argument("--lradj", type=str, default="type1")
    parser.add_argument("--inverse", action="store_true", default=False)
    parser.add_argument("--use_amp", action="store_true", default=False)
    parser.add_argument("--use_gpu", type=bool, default=True)
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--use_multi_gpu", action="store_true", default=False)
    parser.add_argument("--devices", type=str, default="0,1,2,3")
    args = parser.parse_args()
    args.use_gpu = True if torch.cuda.is_available() and args.use_gpu else False
    if args.use_gpu and args.use_multi_gpu:
        args.devices = args.devices.replace(" ", "")
        args.device_ids = [int(id_) for id_ in args.devices.split(",")]
        args.gpu = args.device_ids[0]
    Exp = Exp_Forecast
    if args.is_training:
        for ii in range(args.itr):
            exp = Exp(args)
            setting = "{}_{}".format(args.model, ii)
            exp.train(setting)
            exp.test(setting)
            torch.cuda.empty_cache()  # sync: explicit-sync note
    else:
        exp = Exp(args)
        exp.test("{}_{}".format(args.model, 0), test=1)
        torch.cuda.empty_cache()
