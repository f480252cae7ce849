import argparse
import logging
import math
import os
import random
import shutil
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.optim.lr_scheduler import LambdaLR

from semi import ALGORITHMS, ModelEMA, get_loaders

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None

logger = logging.getLogger(__name__)
best_acc = 0


class AverageMeter(object):
    def __init__(self):
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class WideBlock(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(i, momentum=0.01), nn.BatchNorm2d(o, momentum=0.01)
        self.c1 = nn.Conv2d(i, o, 3, s, 1, bias=False)
        self.c2 = nn.Conv2d(o, o, 3, 1, 1, bias=False)
        self.short = nn.Conv2d(i, o, 1, s, bias=False) if i != o else nn.Identity()

    def forward(self, x):
        h = F.leaky_relu(self.bn1(x), 0.1)
        return self.short(x) + self.c2(F.leaky_relu(self.bn2(self.c1(h)), 0.1))


def create_model(args):
    return nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1), WideBlock(8, 16, 2), WideBlock(16, 32, 2), WideBlock(32, 32, 1),
                         nn.BatchNorm2d(32), nn.LeakyReLU(0.1), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(32, args.num_classes))


def get_cosine_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps, num_cycles=7. / 16.):
    def _lr_lambda(current_step):
        if current_step < num_warmup_steps:
            return float(current_step) / float(max(1, num_warmup_steps))
        no_progress = float(current_step - num_warmup_steps) / float(max(1, num_training_steps - num_warmup_steps))
        return max(0., math.cos(math.pi * num_cycles * no_progress))
    return LambdaLR(optimizer, _lr_lambda)


def save_checkpoint(state, is_best, checkpoint, filename='checkpoint.pth.tar'):
    filepath = os.path.join(checkpoint, filename)
    torch.save(state, filepath)
    if is_best:
        shutil.copyfile(filepath, os.path.join(checkpoint, 'model_best.pth.tar'))


def accuracy(output, target, topk=(1,)):
    maxk = max(topk)
    _, pred = output.topk(maxk, 1, True, True)
    correct = pred.t().eq(target.reshape(1, -1).expand_as(pred.t()))
    return [correct[:k].reshape(-1).float().sum(0).mul_(100.0 / target.size(0)) for k in topk]


def test(args, test_loader, model):
    losses, top1, top3 = AverageMeter(), AverageMeter(), AverageMeter()
    model.eval()
    with torch.no_grad():
        for inputs, targets, _ in test_loader:
            inputs, targets = inputs.to(args.device), targets.to(args.device)
            outputs = model(inputs)
            prec1, prec3 = accuracy(outputs, targets, topk=(1, 3))
            losses.update(F.cross_entropy(outputs, targets).item(), inputs.shape[0])
            top1.update(prec1.item(), inputs.shape[0])
            top3.update(prec3.item(), inputs.shape[0])
    logger.info("top-1 acc: {:.2f}  top-3 acc: {:.2f}".format(top1.avg, top3.avg))
    return losses.avg, top1.avg


def train(args, labeled_loader, unlabeled_loader, test_loader, model, optimizer, ema, scheduler, algo):
    global best_acc
    test_accs = []
    labeled_iter, unlabeled_iter = iter(labeled_loader), iter(unlabeled_loader)
    model.train()
    for epoch in range(args.epochs):
        end = time.time()
        meters = {k: AverageMeter() for k in ('loss', 'loss_x', 'loss_u', 'mask', 'pl_acc', 'batch_time')}
        p_bar = tqdm(range(args.eval_step), disable=args.no_progress) if tqdm else None
        for batch_idx in range(args.eval_step):
            try:
                batch_l = next(labeled_iter)
            except StopIteration:
                labeled_iter = iter(labeled_loader)
                batch_l = next(labeled_iter)
            try:
                batch_u = next(unlabeled_iter)
            except StopIteration:
                unlabeled_iter = iter(unlabeled_loader)
                batch_u = next(unlabeled_iter)

            loss, stats = algo.step(model, ema, batch_l, batch_u, epoch * args.eval_step + batch_idx)
            loss.backward()
            meters['loss'].update(loss.item())
            for k, v in stats.items():
                meters[k].update(v)
            optimizer.step()
            scheduler.step()
            ema.update(model)
            model.zero_grad()
            meters['batch_time'].update(time.time() - end)
            end = time.time()
            if p_bar is not None:
                p_bar.set_description("Epoch {}/{} lr {:.4f} ".format(epoch + 1, args.epochs, scheduler.get_last_lr()[0])
                                      + " ".join("{} {:.3f}".format(k, m.avg) for k, m in meters.items()))
                p_bar.update()
        if p_bar is not None:
            p_bar.close()

        test_loss, test_acc = test(args, test_loader, ema.ema)
        is_best = test_acc > best_acc
        best_acc = max(test_acc, best_acc)
        save_checkpoint({'epoch': epoch + 1, 'state_dict': model.state_dict(), 'ema_state_dict': ema.ema.state_dict(),
                         'acc': test_acc, 'best_acc': best_acc, 'optimizer': optimizer.state_dict(),
                         'scheduler': scheduler.state_dict()}, is_best, args.out)
        test_accs.append(test_acc)
        logger.info('Best top-1 acc: {:.2f}  Mean top-1 acc: {:.2f}\n'.format(best_acc, np.mean(test_accs[-20:])))


def main():
    parser = argparse.ArgumentParser(description='PyTorch FixMatch Training')
    parser.add_argument('--algo', default='flexmatch', choices=sorted(ALGORITHMS))
    parser.add_argument('--num-labeled', type=int, default=48)
    parser.add_argument('--num-classes', type=int, default=6)
    parser.add_argument('--epochs', default=3, type=int)
    parser.add_argument('--eval-step', default=12, type=int)
    parser.add_argument('--batch-size', default=8, type=int)
    parser.add_argument('--mu', default=4, type=int, help='coefficient of unlabeled batch size')
    parser.add_argument('--lr', default=0.03, type=float)
    parser.add_argument('--warmup', default=0, type=float)
    parser.add_argument('--rampup', default=20, type=int)
    parser.add_argument('--ema-decay', default=0.9, type=float)
    parser.add_argument('--lambda-u', default=1, type=float)
    parser.add_argument('--T', default=1, type=float)
    parser.add_argument('--threshold', default=0.8, type=float)
    parser.add_argument('--out', default='./out/semi')
    parser.add_argument('--seed', default=5, type=int)
    parser.add_argument('--no-progress', action='store_true')
    args = parser.parse_args()
    args.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    logging.basicConfig(format="%(asctime)s - %(levelname)s -   %(message)s", level=logging.INFO)
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    os.makedirs(args.out, exist_ok=True)

    labeled, unlabeled, test_loader, n_u = get_loaders(args)
    model = create_model(args).to(args.device)
    logger.info("Total params: {:.2f}K".format(sum(p.numel() for p in model.parameters()) / 1e3))
    no_decay = ['bias', 'bn']
    grouped = [
        {'params': [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)], 'weight_decay': 5e-4},
        {'params': [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], 'weight_decay': 0.0}]
    optimizer = optim.SGD(grouped, lr=args.lr, momentum=0.9, nesterov=True)
    scheduler = get_cosine_schedule_with_warmup(optimizer, args.warmup, args.epochs * args.eval_step)
    ema = ModelEMA(model, args.ema_decay)
    train(args, labeled, unlabeled, test_loader, model, optimizer, ema, scheduler, ALGORITHMS[args.algo](args, n_u))


if __name__ == '__main__':
    main()
