'''
Teacher -> distilled student -> iterative magnitude pruning -> quantisation-aware training.
'''
from __future__ import print_function

import argparse
import os
import shutil
import tempfile
import time

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune
import torch.utils.data as data
import torchvision.transforms as transforms

from quant_ops import convert_to_qat

parser = argparse.ArgumentParser(description='PyTorch model compression')
parser.add_argument('--stage', default='all', choices=['teacher', 'kd', 'prune', 'qat', 'all'])
parser.add_argument('-j', '--workers', default=2, type=int)
parser.add_argument('--epochs', default=3, type=int)
parser.add_argument('--prune-epochs', default=2, type=int)
parser.add_argument('--qat-epochs', default=2, type=int)
parser.add_argument('-b', '--batch-size', default=64, type=int)
parser.add_argument('--lr', default=0.05, type=float)
parser.add_argument('--momentum', default=0.9, type=float)
parser.add_argument('--weight-decay', '--wd', default=5e-4, type=float)
parser.add_argument('--print-freq', '-p', default=10, type=int)
parser.add_argument('--T', default=4.0, type=float, help='temperature')
parser.add_argument('--alpha', default=0.7, type=float, help='weight of the soft loss')
parser.add_argument('--beta', default=100.0, type=float, help='weight of attention transfer')
parser.add_argument('--sparsity', default=0.7, type=float)
parser.add_argument('--prune-every', default=8, type=int)
parser.add_argument('--w-bits', default=4, type=int)
parser.add_argument('--a-bits', default=4, type=int)
parser.add_argument('--checkpoint', default='', type=str)
parser.add_argument('--manual-seed', default=1, type=int)
args = parser.parse_args()

use_cuda = torch.cuda.is_available()
cudnn.benchmark = True
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


def accuracy(output, target, topk=(1,)):
    """Computes the precision@k for the specified values of k"""
    maxk = max(topk)
    batch_size = target.size(0)
    _, pred = output.topk(maxk, 1, True, True)
    pred = pred.t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    res = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).float().sum(0)
        res.append(correct_k.mul_(100.0 / batch_size))
    return res


class Shapes(data.Dataset):
    """10 classes: stripes of a direction and a frequency, under a random colour and noise"""

    def __init__(self, n, seed, transform=None):
        rng = np.random.RandomState(seed)
        yy, xx = np.mgrid[0:32, 0:32] / 32.0
        self.targets = rng.randint(0, 10, n)
        imgs = np.zeros((n, 32, 32, 3), dtype=np.float32)
        for i, t in enumerate(self.targets):
            angle = (t % 5) * np.pi / 5 + rng.uniform(-0.15, 0.15)
            freq = (3 if t < 5 else 6) + rng.uniform(-0.5, 0.5)
            wave = np.sin(2 * np.pi * freq * (xx * np.cos(angle) + yy * np.sin(angle)) + rng.uniform(0, 6.28))
            imgs[i] = 0.5 + 0.25 * wave[:, :, None] * rng.uniform(0.3, 1, 3) + 0.15 * rng.randn(32, 32, 3)
        self.imgs = (imgs.clip(0, 1) * 255).astype(np.uint8)
        self.transform = transform

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        img = self.imgs[i]
        if self.transform is not None:
            img = self.transform(img)
        return img, int(self.targets[i])


def conv3x3(i, o, s=1):
    return nn.Conv2d(i, o, 3, s, 1, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1):
        super(BasicBlock, self).__init__()
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        residual = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + residual)


class ResNet(nn.Module):
    def __init__(self, depth, width=16, num_classes=10):
        super(ResNet, self).__init__()
        n = (depth - 2) // 6
        self.conv1 = conv3x3(3, width)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.inplanes = width
        self.layer1 = self._make_layer(width, n, 1)
        self.layer2 = self._make_layer(width * 2, n, 2)
        self.layer3 = self._make_layer(width * 4, n, 2)
        self.fc = nn.Linear(width * 4, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode='fan_out', nonlinearity='relu')

    def _make_layer(self, planes, blocks, stride):
        layers = []
        for i in range(blocks):
            layers.append(BasicBlock(self.inplanes, planes, stride if i == 0 else 1))
            self.inplanes = planes
        return nn.Sequential(*layers)

    def forward(self, x, features=False):
        x = self.relu(self.bn1(self.conv1(x)))
        f1 = self.layer1(x)
        f2 = self.layer2(f1)
        f3 = self.layer3(f2)
        out = self.fc(F.adaptive_avg_pool2d(f3, 1).flatten(1))
        return (out, [f1, f2, f3]) if features else out


def attention_map(f):
    return F.normalize(f.pow(2).mean(1).view(f.size(0), -1))


class KDLoss(nn.Module):
    def __init__(self, T, alpha, beta):
        super(KDLoss, self).__init__()
        self.T, self.alpha, self.beta = T, alpha, beta

    def forward(self, s_out, s_feat, t_out, t_feat, target):
        soft = F.kl_div(F.log_softmax(s_out / self.T, 1), F.softmax(t_out / self.T, 1),
                        reduction='batchmean') * self.T ** 2
        hard = F.cross_entropy(s_out, target)
        at = sum((attention_map(s) - attention_map(t)).pow(2).mean() for s, t in zip(s_feat, t_feat))
        return self.alpha * soft + (1 - self.alpha) * hard + self.beta * at, soft, hard, at


def train(loader, model, optimizer, epoch, teacher=None, on_step=None):
    batch_time, data_time = AverageMeter(), AverageMeter()
    losses, top1, top5 = AverageMeter(), AverageMeter(), AverageMeter()
    kd = KDLoss(args.T, args.alpha, args.beta)
    model.train()
    end = time.time()
    for i, (inputs, targets) in enumerate(loader):
        data_time.update(time.time() - end)
        if use_cuda:
            inputs, targets = inputs.cuda(), targets.cuda(non_blocking=True)

        if teacher is not None:
            with torch.no_grad():
                t_out, t_feat = teacher(inputs, features=True)
            outputs, feats = model(inputs, features=True)
            loss, _, _, _ = kd(outputs, feats, t_out, t_feat, targets)
        else:
            outputs = model(inputs)
            loss = F.cross_entropy(outputs, targets)

        prec1, prec5 = accuracy(outputs.data, targets.data, topk=(1, 5))
        losses.update(loss.item(), inputs.size(0))
        top1.update(prec1.item(), inputs.size(0))
        top5.update(prec5.item(), inputs.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if on_step is not None:
            on_step()

        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            print('Epoch: [{0}][{1}/{2}]\tTime {bt.val:.3f} ({bt.avg:.3f})\tData {dt.val:.3f} ({dt.avg:.3f})\t'
                  'Loss {loss.val:.4f} ({loss.avg:.4f})\tPrec@1 {top1.val:.2f} ({top1.avg:.2f})\t'
                  'Prec@5 {top5.val:.2f} ({top5.avg:.2f})'.format(epoch, i, len(loader), bt=batch_time, dt=data_time,
                                                                  loss=losses, top1=top1, top5=top5))
    return losses.avg, top1.avg


def test(loader, model):
    losses, top1 = AverageMeter(), AverageMeter()
    model.eval()
    with torch.no_grad():
        for inputs, targets in loader:
            if use_cuda:
                inputs, targets = inputs.cuda(), targets.cuda()
            outputs = model(inputs)
            losses.update(F.cross_entropy(outputs, targets).item(), inputs.size(0))
            top1.update(accuracy(outputs, targets)[0].item(), inputs.size(0))
    print(' * Prec@1 {:.3f} Loss {:.4f}'.format(top1.avg, losses.avg))
    return losses.avg, top1.avg


def save_checkpoint(state, is_best, name):
    filepath = os.path.join(args.checkpoint, name + '.pth.tar')
    torch.save(state, filepath)
    if is_best:
        shutil.copyfile(filepath, os.path.join(args.checkpoint, name + '_best.pth.tar'))


def run(name, model, trainloader, testloader, epochs, lr, teacher=None, on_step=None):
    global best_acc
    best_acc = 0
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=args.momentum, weight_decay=args.weight_decay,
                                nesterov=True)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [max(1, int(epochs * 0.6))], gamma=0.1)
    for epoch in range(epochs):
        print('\n{}: epoch [{} | {}] LR: {:f}'.format(name, epoch + 1, epochs, optimizer.param_groups[0]['lr']))
        train(trainloader, model, optimizer, epoch, teacher, on_step)
        _, acc = test(testloader, model)
        scheduler.step()
        is_best = acc > best_acc
        best_acc = max(acc, best_acc)
        save_checkpoint({'epoch': epoch + 1, 'state_dict': model.state_dict(), 'acc': acc, 'best_acc': best_acc,
                         'optimizer': optimizer.state_dict()}, is_best, name)
    return best_acc


class Pruner(object):
    """cubic schedule of To prune, or not to prune; global magnitude"""

    def __init__(self, model, target, total_steps, every):
        self.params = [(m, 'weight') for n, m in model.named_modules() if isinstance(m, nn.Conv2d) and n != 'conv1']
        self.target, self.total, self.every = target, total_steps, every
        self.n = 0
        self.current = 0.0

    def step(self):
        self.n += 1
        if self.n % self.every != 0 or self.n > self.total:
            return
        want = self.target * (1 - (1 - min(1.0, self.n / self.total)) ** 3)
        # amount is of what is left
        amount = (want - self.current) / (1 - self.current)
        if amount <= 0:
            return
        prune.global_unstructured(self.params, pruning_method=prune.L1Unstructured, amount=amount)
        self.current = want
        print('  pruned to {:.3f} (measured {:.3f})'.format(want, self.sparsity()))

    def sparsity(self):
        zeros = sum(float(torch.sum(m.weight == 0)) for m, _ in self.params)
        return zeros / sum(m.weight.nelement() for m, _ in self.params)

    def remove(self):
        masks = {}
        for m, _ in self.params:
            if prune.is_pruned(m):
                masks[m] = m.weight_mask.clone()
                prune.remove(m, 'weight')
        return masks


def main():
    torch.manual_seed(args.manual_seed)
    if use_cuda:
        torch.cuda.manual_seed_all(args.manual_seed)
    if not args.checkpoint:
        args.checkpoint = tempfile.mkdtemp()
    normalize = transforms.Normalize((0.5, 0.5, 0.5), (0.25, 0.25, 0.25))
    transform_train = transforms.Compose([
        transforms.ToTensor(),
        transforms.RandomCrop(32, padding=2),
        normalize,
    ])
    transform_test = transforms.Compose([transforms.ToTensor(), normalize])
    trainloader = data.DataLoader(Shapes(2000, 1, transform_train), batch_size=args.batch_size, shuffle=True,
                                  num_workers=args.workers, pin_memory=True)
    testloader = data.DataLoader(Shapes(500, 2, transform_test), batch_size=100, shuffle=False, num_workers=0)

    results = []
    teacher = ResNet(20, 32)
    student = ResNet(8, 16)
    if use_cuda:
        teacher, student = teacher.cuda(), student.cuda()
    print('    Teacher params: %.3fM' % (sum(p.numel() for p in teacher.parameters()) / 1000000.0))
    print('    Student params: %.3fM' % (sum(p.numel() for p in student.parameters()) / 1000000.0))

    if args.stage in ('teacher', 'kd', 'all'):
        results.append(('teacher', run('teacher', teacher, trainloader, testloader, args.epochs, args.lr)))
        teacher.eval()
        for p in teacher.parameters():
            p.requires_grad = False
    if args.stage in ('kd', 'all'):
        results.append(('student', run('student', student, trainloader, testloader, args.epochs, args.lr, teacher)))

    kd_teacher = teacher if args.stage == 'all' else None
    masks = {}
    if args.stage in ('prune', 'all'):
        total = int(0.75 * args.prune_epochs * len(trainloader))
        # force the reparametrisation before the optimizer sees the parameters
        pruner = Pruner(student, args.sparsity, total, args.prune_every)
        for m, n in pruner.params:
            prune.identity(m, n)
        acc = run('pruned', student, trainloader, testloader, args.prune_epochs, args.lr * 0.2, kd_teacher, pruner.step)
        masks = {id(m): k for m, k in pruner.remove().items()}
        results.append(('pruned %.2f' % pruner.sparsity(), acc))

    if args.stage in ('qat', 'all'):
        order = [id(m) for m in student.modules() if isinstance(m, nn.Conv2d)]
        convert_to_qat(student, args.w_bits, args.a_bits)
        if use_cuda:
            student.cuda()
        convs = [m for m in student.modules() if isinstance(m, nn.Conv2d)]
        keep = [(m, masks[i]) for i, m in zip(order, convs) if i in masks]

        def apply_masks():
            for m, k in keep:
                m.weight.data.mul_(k)

        acc = run('qat', student, trainloader, testloader, args.qat_epochs, args.lr * 0.1, kd_teacher, apply_masks)
        results.append(('qat w%da%d' % (args.w_bits, args.a_bits), acc))
        if keep:
            z = sum(float((m.weight == 0).sum()) for m, _ in keep) / sum(m.weight.numel() for m, _ in keep)
            print('sparsity after QAT: {:.3f}'.format(z))

    print('\n' + '=' * 30)
    for name, acc in results:
        print('{:<14s} {:.2f}'.format(name, acc))


if __name__ == '__main__':
    main()
