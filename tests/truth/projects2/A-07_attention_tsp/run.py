#!/usr/bin/env python
import argparse
import json
import os
import pprint as pp
import tempfile
import time

import torch
import torch.optim as optim

from nets.attention_model import AttentionModel
from problems.tsp import TSP
from reinforce_baselines import ExponentialBaseline, RolloutBaseline, WarmupBaseline
from train import train_epoch, validate
from utils import get_inner_model, torch_load_cpu


def get_options(args=None):
    parser = argparse.ArgumentParser(description="Attention based model for solving the TSP with REINFORCE")
    parser.add_argument('--graph_size', type=int, default=20)
    parser.add_argument('--batch_size', type=int, default=128)
    parser.add_argument('--epoch_size', type=int, default=5120)
    parser.add_argument('--val_size', type=int, default=1024)
    parser.add_argument('--eval_batch_size', type=int, default=512)
    parser.add_argument('--embedding_dim', type=int, default=64)
    parser.add_argument('--hidden_dim', type=int, default=64)
    parser.add_argument('--n_encode_layers', type=int, default=2)
    parser.add_argument('--tanh_clipping', type=float, default=10.)
    parser.add_argument('--lr_model', type=float, default=3e-4)
    parser.add_argument('--lr_decay', type=float, default=0.99)
    parser.add_argument('--n_epochs', type=int, default=3)
    parser.add_argument('--seed', type=int, default=1234)
    parser.add_argument('--max_grad_norm', type=float, default=1.0)
    parser.add_argument('--no_cuda', action='store_true')
    parser.add_argument('--exp_beta', type=float, default=0.8)
    parser.add_argument('--baseline', default='rollout', help="'rollout', 'exponential'")
    parser.add_argument('--bl_alpha', type=float, default=0.05)
    parser.add_argument('--bl_warmup_epochs', type=int, default=None)
    parser.add_argument('--log_step', type=int, default=10)
    parser.add_argument('--run_name', default='run')
    parser.add_argument('--output_dir', default=None)
    parser.add_argument('--checkpoint_epochs', type=int, default=1)
    parser.add_argument('--load_path')
    parser.add_argument('--no_progress_bar', action='store_true')
    opts = parser.parse_args(args)
    opts.use_cuda = torch.cuda.is_available() and not opts.no_cuda
    opts.run_name = "{}_{}".format(opts.run_name, time.strftime("%Y%m%dT%H%M%S"))
    opts.save_dir = os.path.join(opts.output_dir or tempfile.mkdtemp(prefix='am_'), opts.run_name)
    if opts.bl_warmup_epochs is None:
        opts.bl_warmup_epochs = 1 if opts.baseline == 'rollout' else 0
    assert opts.epoch_size % opts.batch_size == 0, "Epoch size must be integer multiple of batch size!"
    return opts


def run(opts):
    # Pretty print the run args
    pp.pprint(vars(opts))
    torch.manual_seed(opts.seed)

    os.makedirs(opts.save_dir)
    # Save arguments so exact configuration can always be found
    with open(os.path.join(opts.save_dir, "args.json"), 'w') as f:
        json.dump(vars(opts), f, indent=True)

    # Set the device
    opts.device = torch.device("cuda:0" if opts.use_cuda else "cpu")
    problem = TSP

    model = AttentionModel(opts.embedding_dim, opts.hidden_dim, problem, n_encode_layers=opts.n_encode_layers,
                           tanh_clipping=opts.tanh_clipping).to(opts.device)
    if opts.use_cuda and torch.cuda.device_count() > 1:
        model = torch.nn.DataParallel(model)
    if opts.load_path is not None:
        get_inner_model(model).load_state_dict(torch_load_cpu(opts.load_path).get('model', {}))

    # Initialize baseline
    if opts.baseline == 'exponential':
        baseline = ExponentialBaseline(opts.exp_beta)
    elif opts.baseline == 'rollout':
        baseline = RolloutBaseline(model, problem, opts)
    else:
        raise ValueError("Unknown baseline: {}".format(opts.baseline))
    if opts.bl_warmup_epochs > 0:
        baseline = WarmupBaseline(baseline, opts.bl_warmup_epochs, warmup_exp_beta=opts.exp_beta)

    optimizer = optim.Adam([{'params': model.parameters(), 'lr': opts.lr_model}])
    lr_scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: opts.lr_decay ** epoch)

    # Start the actual training loop
    val_dataset = problem.make_dataset(size=opts.graph_size, num_samples=opts.val_size)
    log = []
    validate(model, val_dataset, opts)
    for epoch in range(opts.n_epochs):
        train_epoch(model, optimizer, baseline, lr_scheduler, epoch, val_dataset, problem, log, opts)
    with open(os.path.join(opts.save_dir, "log.json"), 'w') as f:
        json.dump(log, f)


if __name__ == "__main__":
    run(get_options())
