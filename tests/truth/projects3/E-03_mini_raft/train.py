import argparse
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

from core.raft import MiniRAFT
from core.datasets import fetch_dataloader
import evaluate

MAX_FLOW = 100


def sequence_loss(flow_preds, flow_gt, valid, gamma=0.8, max_flow=MAX_FLOW):
    """ Loss function defined over sequence of flow predictions """
    n_predictions = len(flow_preds)
    flow_loss = 0.0
    mag = torch.sum(flow_gt ** 2, dim=1).sqrt()
    valid = (valid >= 0.5) & (mag < max_flow)

    for i in range(n_predictions):
        i_weight = gamma ** (n_predictions - i - 1)
        i_loss = (flow_preds[i] - flow_gt).abs()
        flow_loss += i_weight * (valid[:, None] * i_loss).mean()

    epe = torch.sum((flow_preds[-1] - flow_gt) ** 2, dim=1).sqrt()
    epe = epe.view(-1)[valid.view(-1)]
    metrics = {
        'epe': epe.mean().item(),
        '1px': (epe < 1).float().mean().item(),
        '3px': (epe < 3).float().mean().item(),
    }
    return flow_loss, metrics


def fetch_optimizer(args, model):
    optimizer = optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.wdecay, eps=1e-8)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, args.lr, args.num_steps + 10, pct_start=0.1,
                                              cycle_momentum=False, anneal_strategy='linear')
    return optimizer, scheduler


class Logger:
    def __init__(self, model, scheduler, sum_freq):
        self.model = model
        self.scheduler = scheduler
        self.sum_freq = sum_freq
        self.total_steps = 0
        self.running = {}
        self.t0 = time.time()

    def push(self, metrics):
        self.total_steps += 1
        for k, v in metrics.items():
            self.running[k] = self.running.get(k, 0.0) + v
        if self.total_steps % self.sum_freq == 0:
            vals = ", ".join("%s %.4f" % (k, self.running[k] / self.sum_freq) for k in sorted(self.running))
            lr = self.scheduler.get_last_lr()[0]
            print("[%6d, %.7f] %s (%.1f s)" % (self.total_steps, lr, vals, time.time() - self.t0))
            self.running = {}


def train(args):
    model = MiniRAFT(args).cuda()
    print("Parameter Count: %d" % sum(p.numel() for p in model.parameters() if p.requires_grad))
    if args.restore_ckpt is not None:
        model.load_state_dict(torch.load(args.restore_ckpt), strict=False)
    model.train()

    train_loader = fetch_dataloader(args)
    optimizer, scheduler = fetch_optimizer(args, model)
    logger = Logger(model, scheduler, args.sum_freq)
    os.makedirs('checkpoints', exist_ok=True)

    total_steps = 0
    should_keep_training = True
    while should_keep_training:
        for data_blob in train_loader:
            optimizer.zero_grad()
            image1, image2, flow, valid = [x.cuda(non_blocking=True) for x in data_blob]
            if args.add_noise:
                stdv = np.random.uniform(0.0, 5.0)
                image1 = (image1 + stdv * torch.randn_like(image1)).clamp(0.0, 255.0)
                image2 = (image2 + stdv * torch.randn_like(image2)).clamp(0.0, 255.0)

            _, flow_predictions = model(image1, image2, iters=args.iters)
            loss, metrics = sequence_loss(flow_predictions, flow, valid, args.gamma)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            scheduler.step()
            metrics['loss'] = loss.item()
            logger.push(metrics)

            total_steps += 1
            if total_steps % args.val_freq == 0:
                evaluate.validate(model, args)
                torch.save(model.state_dict(), 'checkpoints/%s.pth' % args.name)
            if total_steps >= args.num_steps:
                should_keep_training = False
                break

    results = evaluate.validate(model, args)
    evaluate.dump_visuals(model, args, 'checkpoints/vis')
    return results


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--name', default='mini-raft', help="name your experiment")
    parser.add_argument('--restore_ckpt', help="restore checkpoint")
    parser.add_argument('--lr', type=float, default=4e-4)
    parser.add_argument('--num_steps', type=int, default=120)
    parser.add_argument('--num_train', type=int, default=160)
    parser.add_argument('--batch_size', type=int, default=8)
    parser.add_argument('--image_size', type=int, nargs='+', default=[96, 128])
    parser.add_argument('--num_workers', type=int, default=2)
    parser.add_argument('--iters', type=int, default=8)
    parser.add_argument('--corr_radius', type=int, default=3)
    parser.add_argument('--wdecay', type=float, default=1e-4)
    parser.add_argument('--clip', type=float, default=1.0)
    parser.add_argument('--gamma', type=float, default=0.8, help='exponential weighting')
    parser.add_argument('--add_noise', action='store_true')
    parser.add_argument('--val_freq', type=int, default=60)
    parser.add_argument('--sum_freq', type=int, default=20)
    args = parser.parse_args()

    torch.manual_seed(1234)
    np.random.seed(1234)
    train(args)
