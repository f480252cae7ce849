#!/usr/bin/env python3
import argparse
import logging
import time
from collections import OrderedDict
from contextlib import suppress

import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as NativeDDP
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

import utils
from models import create_model

_logger = logging.getLogger('train')

parser = argparse.ArgumentParser(description='PyTorch ImageNet Training')
parser.add_argument('data_dir', metavar='DIR')
parser.add_argument('--model', default='convnet_tiny', type=str)
parser.add_argument('--epochs', type=int, default=300)
parser.add_argument('--batch-size', type=int, default=128)
parser.add_argument('--lr', type=float, default=0.05)
parser.add_argument('--clip-grad', type=float, default=None)
parser.add_argument('--log-interval', type=int, default=50)
parser.add_argument('--recovery-interval', type=int, default=0)
parser.add_argument('--amp', action='store_true', default=False)
parser.add_argument('--mixup', type=float, default=0.0)
parser.add_argument('--model-ema', action='store_true', default=False)
parser.add_argument('--local_rank', default=0, type=int)


def main():
    logging.basicConfig(level=logging.INFO)
    args = parser.parse_args()
    args.distributed = False
    args.world_size = 1
    args.rank = 0
    args.device = 'cuda:0'
    utils.random_seed(42, args.rank)

    model = create_model(args.model, num_classes=1000)
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    amp_autocast = suppress
    loss_scaler = None
    if args.amp:
        amp_autocast = torch.cuda.amp.autocast
        loss_scaler = torch.cuda.amp.GradScaler()
    model_ema = utils.ModelEma(model) if args.model_ema else None
    if args.distributed:
        model = NativeDDP(model, device_ids=[args.local_rank])

    tf = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    loader_train = DataLoader(datasets.ImageFolder(args.data_dir + '/train', tf), batch_size=args.batch_size,
                              shuffle=True, num_workers=8, pin_memory=True, drop_last=True)
    loader_eval = DataLoader(datasets.ImageFolder(args.data_dir + '/val', tf), batch_size=args.batch_size,
                             num_workers=8)
    mixup_fn = utils.Mixup(args.mixup) if args.mixup > 0 else None
    train_loss_fn = nn.CrossEntropyLoss().cuda()
    validate_loss_fn = nn.CrossEntropyLoss().cuda()
    saver = utils.CheckpointSaver(model, optimizer, args)

    for epoch in range(args.epochs):
        train_metrics = train_one_epoch(epoch, model, loader_train, optimizer, train_loss_fn, args,
                                        amp_autocast=amp_autocast, loss_scaler=loss_scaler,
                                        model_ema=model_ema, mixup_fn=mixup_fn)
        eval_metrics = validate(model, loader_eval, validate_loss_fn, args, amp_autocast=amp_autocast)
        best_metric = saver.save_checkpoint(epoch, metric=eval_metrics['top1'])
        _logger.info('*** Best metric: {0}'.format(best_metric))


def train_one_epoch(epoch, model, loader, optimizer, loss_fn, args, amp_autocast=suppress, loss_scaler=None,
                    model_ema=None, mixup_fn=None):
    batch_time_m = utils.AverageMeter()
    losses_m = utils.AverageMeter()
    model.train()
    end = time.time()
    last_idx = len(loader) - 1
    for batch_idx, (input, target) in enumerate(loader):
        last_batch = batch_idx == last_idx
        input, target = input.cuda(), target.cuda()  # sync: copy-to-device x2
        if mixup_fn is not None:
            input, target = mixup_fn(input, target)
        with amp_autocast():
            output = model(input)
            loss = loss_fn(output, target)
        if not args.distributed:
            losses_m.update(loss.item(), input.size(0))  # sync: host-read
        optimizer.zero_grad()
        if loss_scaler is not None:
            loss_scaler.scale(loss).backward()
            loss_scaler.step(optimizer)  # sync: grad-scaler note
            loss_scaler.update()
        else:
            loss.backward()
            if args.clip_grad is not None:
                utils.dispatch_clip_grad(model.parameters(), value=args.clip_grad)
            optimizer.step()
        if model_ema is not None:
            model_ema.update(model)
        torch.cuda.synchronize()  # sync: sync-for-timer
        batch_time_m.update(time.time() - end)
        if last_batch or batch_idx % args.log_interval == 0:
            lr = sum(g['lr'] for g in optimizer.param_groups) / len(optimizer.param_groups)
            if args.distributed:
                reduced_loss = utils.reduce_tensor(loss.data, args.world_size)
                losses_m.update(reduced_loss.item(), input.size(0))  # sync: host-read note
            _logger.info('Train: {} [{:>4d}/{}] Loss: {loss.val:#.4g} ({loss.avg:#.3g}) LR: {lr:.3e}'.format(
                epoch, batch_idx, len(loader), loss=losses_m, lr=lr))
        end = time.time()
    return OrderedDict([('loss', losses_m.avg)])


def validate(model, loader, loss_fn, args, amp_autocast=suppress, log_suffix=''):
    losses_m = utils.AverageMeter()
    top1_m = utils.AverageMeter()
    top5_m = utils.AverageMeter()
    model.eval()
    last_idx = len(loader) - 1
    with torch.no_grad():
        for batch_idx, (input, target) in enumerate(loader):
            last_batch = batch_idx == last_idx
            input = input.cuda()  # sync: copy-to-device
            target = target.cuda()  # sync: copy-to-device
            with amp_autocast():
                output = model(input)
            if isinstance(output, (tuple, list)):
                output = output[0]
            loss = loss_fn(output, target)
            acc1, acc5 = utils.accuracy(output, target, topk=(1, 5))
            if args.distributed:
                reduced_loss = utils.reduce_tensor(loss.data, args.world_size)
                acc1 = utils.reduce_tensor(acc1, args.world_size)
            else:
                reduced_loss = loss.data
            torch.cuda.synchronize()  # sync: explicit-sync
            losses_m.update(reduced_loss.item(), input.size(0))  # sync: host-read
            top1_m.update(acc1.item(), output.size(0))  # sync: host-read
            top5_m.update(acc5.item(), output.size(0))  # sync: host-read
            if last_batch or batch_idx % args.log_interval == 0:
                _logger.info('Test: [{0}] Loss: {loss.val:>7.4f} Acc@1: {top1.val:>7.4f}'.format(
                    batch_idx, loss=losses_m, top1=top1_m))
    return OrderedDict([('loss', losses_m.avg), ('top1', top1_m.avg), ('top5', top5_m.avg)])


if __name__ == '__main__':
    main()
