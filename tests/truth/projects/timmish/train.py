#!/usr/bin/env python3
""" Training script, trimmed down from pytorch-image-models for our small datasets
"""
import argparse
import logging
import math
import os
import time
from collections import OrderedDict
from contextlib import suppress
from datetime import datetime

import torch
import torch.nn as nn
import torch.nn.functional as F

from data import Mixup, create_dataset, create_loader
from models import create_model
from utils import (AverageMeter, CheckpointSaver, ModelEmaV2, NativeScaler, accuracy,
                   dispatch_clip_grad, update_summary)

_logger = logging.getLogger('train')

parser = argparse.ArgumentParser(description='Training')
parser.add_argument('--model', default='vit_micro', type=str)
parser.add_argument('--num-classes', type=int, default=10)
parser.add_argument('-b', '--batch-size', type=int, default=32)
parser.add_argument('-vb', '--validation-batch-size', type=int, default=None)
parser.add_argument('--lr', type=float, default=5e-4)
parser.add_argument('--min-lr', type=float, default=1e-6)
parser.add_argument('--warmup-updates', type=int, default=4)
parser.add_argument('--weight-decay', type=float, default=0.05)
parser.add_argument('--clip-grad', type=float, default=1.0)
parser.add_argument('--clip-mode', type=str, default='norm')
parser.add_argument('--epochs', type=int, default=3)
parser.add_argument('--mixup', type=float, default=0.8)
parser.add_argument('--cutmix', type=float, default=1.0)
parser.add_argument('--smoothing', type=float, default=0.1)
parser.add_argument('--mixup-off-epoch', default=0, type=int)
parser.add_argument('--model-ema', action='store_true', default=False)
parser.add_argument('--model-ema-decay', type=float, default=0.99)
parser.add_argument('--model-ema-force-cpu', action='store_true', default=False)
parser.add_argument('--amp', action='store_true', default=False)
parser.add_argument('--train-size', type=int, default=320)
parser.add_argument('--val-size', type=int, default=128)
parser.add_argument('--seed', type=int, default=42)
parser.add_argument('--log-interval', type=int, default=4)
parser.add_argument('--output', default='./out', type=str)
parser.add_argument('--device', default='cuda', type=str)
parser.add_argument('--eval-metric', default='top1', type=str)


class SoftTargetCrossEntropy(nn.Module):
    def forward(self, x, target):
        loss = torch.sum(-target * F.log_softmax(x, dim=-1), dim=-1)
        return loss.mean()


def param_groups_weight_decay(model, weight_decay=1e-5, no_weight_decay_list=()):
    decay, no_decay = [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        if param.ndim <= 1 or name.endswith(".bias") or name in no_weight_decay_list:
            no_decay.append(param)
        else:
            decay.append(param)
    return [{'params': no_decay, 'weight_decay': 0.}, {'params': decay, 'weight_decay': weight_decay}]


class CosineUpdateScheduler:
    def __init__(self, optimizer, t_initial, lr_min=0., warmup_t=0):
        self.optimizer = optimizer
        self.t_initial = t_initial
        self.lr_min = lr_min
        self.warmup_t = warmup_t
        self.base_values = [g['lr'] for g in optimizer.param_groups]
        self.step_update(0)

    def step_update(self, num_updates):
        for g, base in zip(self.optimizer.param_groups, self.base_values):
            if num_updates < self.warmup_t:
                g['lr'] = base * (num_updates + 1) / (self.warmup_t + 1)
            else:
                t = min(num_updates / self.t_initial, 1.)
                g['lr'] = self.lr_min + 0.5 * (base - self.lr_min) * (1 + math.cos(math.pi * t))


def main():
    logging.basicConfig(level=logging.INFO, format='%(message)s')
    args = parser.parse_args()
    device = torch.device(args.device if torch.cuda.is_available() else 'cpu')
    if device.type == 'cuda':
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
    torch.manual_seed(args.seed)

    model = create_model(args.model, num_classes=args.num_classes)
    _logger.info(f'Model {args.model} created, param count:{sum([m.numel() for m in model.parameters()])}')
    model.to(device=device)

    nwd = model.no_weight_decay() if hasattr(model, 'no_weight_decay') else ()
    optimizer = torch.optim.AdamW(param_groups_weight_decay(model, args.weight_decay, nwd), lr=args.lr)

    amp_autocast = suppress  # do nothing
    loss_scaler = None
    if args.amp and device.type == 'cuda':
        amp_autocast = torch.cuda.amp.autocast
        loss_scaler = NativeScaler()
        _logger.info('Using native Torch AMP. Training in mixed precision.')

    model_ema = None
    if args.model_ema:
        model_ema = ModelEmaV2(
            model, decay=args.model_ema_decay, device='cpu' if args.model_ema_force_cpu else None)

    mixup_fn = None
    mixup_active = args.mixup > 0 or args.cutmix > 0.
    if mixup_active:
        mixup_fn = Mixup(mixup_alpha=args.mixup, cutmix_alpha=args.cutmix,
                         label_smoothing=args.smoothing, num_classes=args.num_classes)

    loader_train = create_loader(create_dataset('train', args.train_size), args.batch_size,
                                 is_training=True, device=device)
    loader_eval = create_loader(create_dataset('val', args.val_size),
                                args.validation_batch_size or args.batch_size, device=device)

    if mixup_active:
        train_loss_fn = SoftTargetCrossEntropy()
    else:
        train_loss_fn = nn.CrossEntropyLoss(label_smoothing=args.smoothing)
    train_loss_fn = train_loss_fn.to(device=device)
    validate_loss_fn = nn.CrossEntropyLoss().to(device=device)

    updates_per_epoch = len(loader_train)
    lr_scheduler = CosineUpdateScheduler(
        optimizer, args.epochs * updates_per_epoch, lr_min=args.min_lr, warmup_t=args.warmup_updates)

    exp_name = '-'.join([datetime.now().strftime("%Y%m%d-%H%M%S"), args.model])
    output_dir = os.path.join(args.output, exp_name)
    os.makedirs(output_dir, exist_ok=True)
    saver = CheckpointSaver(model, optimizer, args, model_ema=model_ema, amp_scaler=loss_scaler, checkpoint_dir=output_dir)

    best_metric = None
    best_epoch = None
    try:
        for epoch in range(args.epochs):
            if args.mixup_off_epoch and epoch >= args.mixup_off_epoch:
                mixup_fn.mix_prob = 0.
            train_metrics = train_one_epoch(
                epoch, model, loader_train, optimizer, train_loss_fn, args, mixup_fn=mixup_fn,
                lr_scheduler=lr_scheduler, amp_autocast=amp_autocast, loss_scaler=loss_scaler,
                model_ema=model_ema, device=device)
            eval_metrics = validate(model, loader_eval, validate_loss_fn, args, device=device,
                                    amp_autocast=amp_autocast)
            if model_ema is not None and not args.model_ema_force_cpu:
                ema_eval_metrics = validate(model_ema.module, loader_eval, validate_loss_fn, args,
                                            device=device, amp_autocast=amp_autocast, log_suffix=' (EMA)')
                eval_metrics = ema_eval_metrics

            update_summary(epoch, train_metrics, eval_metrics, os.path.join(output_dir, 'summary.csv'),
                           write_header=best_metric is None)
            # save proper checkpoint with eval metric
            best_metric, best_epoch = saver.save_checkpoint(epoch, metric=eval_metrics[args.eval_metric])
    except KeyboardInterrupt:
        pass
    if best_metric is not None:
        _logger.info('*** Best metric: {0} (epoch {1})'.format(best_metric, best_epoch))


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, args, mixup_fn=None, lr_scheduler=None,
                    amp_autocast=suppress, loss_scaler=None, model_ema=None, device=torch.device('cuda')):
    batch_time_m = AverageMeter()
    data_time_m = AverageMeter()
    losses_m = AverageMeter()

    model.train()

    end = time.time()
    last_idx = len(loader) - 1
    num_updates = epoch * len(loader)
    for batch_idx, (input, target) in enumerate(loader):
        last_batch = batch_idx == last_idx
        data_time_m.update(time.time() - end)
        if mixup_fn is not None:
            input, target = mixup_fn(input, target)

        with amp_autocast():
            output = model(input)
            loss = loss_fn(output, target)

        losses_m.update(loss.item(), input.size(0))

        optimizer.zero_grad()
        if loss_scaler is not None:
            loss_scaler(loss, optimizer, clip_grad=args.clip_grad, clip_mode=args.clip_mode,
                        parameters=model.parameters())
        else:
            loss.backward()
            if args.clip_grad is not None:
                dispatch_clip_grad(model.parameters(), value=args.clip_grad, mode=args.clip_mode)
            optimizer.step()

        if model_ema is not None:
            model_ema.update(model)

        if device.type == 'cuda':
            torch.cuda.synchronize()
        num_updates += 1
        batch_time_m.update(time.time() - end)
        if last_batch or batch_idx % args.log_interval == 0:
            lrl = [param_group['lr'] for param_group in optimizer.param_groups]
            lr = sum(lrl) / len(lrl)
            _logger.info(
                'Train: {} [{:>4d}/{} ({:>3.0f}%)]  '
                'Loss: {loss.val:#.4g} ({loss.avg:#.3g})  '
                'Time: {batch_time.val:.3f}s, {rate:>7.2f}/s  '
                'LR: {lr:.3e}  '
                'Data: {data_time.val:.3f} ({data_time.avg:.3f})'.format(
                    epoch, batch_idx, len(loader), 100. * batch_idx / last_idx,
                    loss=losses_m, batch_time=batch_time_m,
                    rate=input.size(0) / batch_time_m.val, lr=lr, data_time=data_time_m))

        if lr_scheduler is not None:
            lr_scheduler.step_update(num_updates=num_updates)

        end = time.time()

    return OrderedDict([('loss', losses_m.avg)])


def validate(model, loader, loss_fn, args, device=torch.device('cuda'), amp_autocast=suppress, log_suffix=''):
    batch_time_m = AverageMeter()
    losses_m = AverageMeter()
    top1_m = AverageMeter()
    top5_m = AverageMeter()

    model.eval()

    end = time.time()
    last_idx = len(loader) - 1
    with torch.no_grad():
        for batch_idx, (input, target) in enumerate(loader):
            last_batch = batch_idx == last_idx

            with amp_autocast():
                output = model(input)
                if isinstance(output, (tuple, list)):
                    output = output[0]
                loss = loss_fn(output, target)
            acc1, acc5 = accuracy(output, target, topk=(1, 5))

            if device.type == 'cuda':
                torch.cuda.synchronize()

            losses_m.update(loss.item(), input.size(0))
            top1_m.update(acc1.item(), output.size(0))
            top5_m.update(acc5.item(), output.size(0))

            batch_time_m.update(time.time() - end)
            end = time.time()
            if last_batch or batch_idx % args.log_interval == 0:
                log_name = 'Test' + log_suffix
                _logger.info(
                    '{0}: [{1:>4d}/{2}]  '
                    'Time: {batch_time.val:.3f} ({batch_time.avg:.3f})  '
                    'Loss: {loss.val:>7.4f} ({loss.avg:>6.4f})  '
                    'Acc@1: {top1.val:>7.4f} ({top1.avg:>7.4f})'
                    'Acc@5: {top5.val:>7.4f} ({top5.avg:>7.4f})'.format(
                        log_name, batch_idx, last_idx, batch_time=batch_time_m, loss=losses_m,
                        top1=top1_m, top5=top5_m))

    return OrderedDict([('loss', losses_m.avg), ('top1', top1_m.avg), ('top5', top5_m.avg)])


if __name__ == '__main__':
    main()
