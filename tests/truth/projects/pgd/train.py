import argparse
import copy
import logging
import os
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger(__name__)

cifar10_mean = (0.4914, 0.4822, 0.4465)
cifar10_std = (0.2471, 0.2435, 0.2616)

mu = torch.tensor(cifar10_mean).view(3, 1, 1).cuda()
std = torch.tensor(cifar10_std).view(3, 1, 1).cuda()

upper_limit, lower_limit = 1, 0


def normalize(X):
    return (X - mu) / std


def clamp(X, lower_limit, upper_limit):
    return torch.max(torch.min(X, upper_limit), lower_limit)


class Batches():
    def __init__(self, n, batch_size, shuffle, seed):
        rng = np.random.RandomState(seed)
        protos = np.random.RandomState(0).rand(10, 3, 32, 32)
        self.y = rng.randint(0, 10, n)
        self.x = np.clip(protos[self.y] * .6 + rng.rand(n, 3, 32, 32) * .4, 0, 1).astype(np.float32)
        dataset = list(zip(torch.from_numpy(self.x), self.y))
        self.batch_size = batch_size
        self.dataloader = torch.utils.data.DataLoader(dataset, batch_size=batch_size, shuffle=shuffle,
                                                      pin_memory=True, drop_last=False)

    def __iter__(self):
        return ({'input': x.cuda().float(), 'target': y.cuda().long()} for (x, y) in self.dataloader)

    def __len__(self):
        return len(self.dataloader)


class PreActBlock(nn.Module):
    def __init__(self, in_planes, planes, stride=1):
        super(PreActBlock, self).__init__()
        self.bn1 = nn.BatchNorm2d(in_planes)
        self.conv1 = nn.Conv2d(in_planes, planes, 3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        if stride != 1 or in_planes != planes:
            self.shortcut = nn.Sequential(nn.Conv2d(in_planes, planes, 1, stride=stride, bias=False))

    def forward(self, x):
        out = F.relu(self.bn1(x))
        shortcut = self.shortcut(out) if hasattr(self, 'shortcut') else x
        out = self.conv1(out)
        out = self.conv2(F.relu(self.bn2(out)))
        out += shortcut
        return out


class PreActResNet(nn.Module):
    def __init__(self, width=16, num_classes=10):
        super(PreActResNet, self).__init__()
        self.conv1 = nn.Conv2d(3, width, 3, padding=1, bias=False)
        self.layers = nn.Sequential(PreActBlock(width, width, 2), PreActBlock(width, width * 2, 2),
                                    PreActBlock(width * 2, width * 4, 2))
        self.bn = nn.BatchNorm2d(width * 4)
        self.linear = nn.Linear(width * 4, num_classes)

    def forward(self, x):
        out = F.relu(self.bn(self.layers(self.conv1(x))))
        out = F.adaptive_avg_pool2d(out, 1).view(out.size(0), -1)
        return self.linear(out)


def attack_pgd(model, X, y, epsilon, alpha, attack_iters, restarts, norm, early_stop=False):
    max_loss = torch.zeros(y.shape[0]).cuda()
    max_delta = torch.zeros_like(X).cuda()
    for _ in range(restarts):
        delta = torch.zeros_like(X).cuda()
        if norm == "l_inf":
            delta.uniform_(-epsilon, epsilon)
        elif norm == "l_2":
            delta.normal_()
            d_flat = delta.view(delta.size(0), -1)
            n = d_flat.norm(p=2, dim=1).view(delta.size(0), 1, 1, 1)
            r = torch.zeros_like(n).uniform_(0, 1)
            delta *= r / n * epsilon
        else:
            raise ValueError
        delta = clamp(delta, lower_limit - X, upper_limit - X)
        delta.requires_grad = True
        for _ in range(attack_iters):
            output = model(normalize(X + delta))
            if early_stop:
                index = torch.where(output.max(1)[1] == y)[0]
            else:
                index = slice(None, None, None)
            if not isinstance(index, slice) and len(index) == 0:
                break
            loss = F.cross_entropy(output, y)
            loss.backward()
            grad = delta.grad.detach()
            d = delta[index, :, :, :]
            g = grad[index, :, :, :]
            x = X[index, :, :, :]
            if norm == "l_inf":
                d = torch.clamp(d + alpha * torch.sign(g), min=-epsilon, max=epsilon)
            elif norm == "l_2":
                g_norm = torch.norm(g.view(g.shape[0], -1), dim=1).view(-1, 1, 1, 1)
                scaled_g = g / (g_norm + 1e-10)
                d = (d + scaled_g * alpha).view(d.size(0), -1).renorm(p=2, dim=0, maxnorm=epsilon).view_as(d)
            d = clamp(d, lower_limit - x, upper_limit - x)
            delta.data[index, :, :, :] = d
            delta.grad.zero_()
        all_loss = F.cross_entropy(model(normalize(X + delta)), y, reduction='none')
        max_delta[all_loss >= max_loss] = delta.detach()[all_loss >= max_loss]
        max_loss = torch.max(max_loss, all_loss)
    return max_delta


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument('--batch-size', default=32, type=int)
    parser.add_argument('--l2', default=0, type=float)
    parser.add_argument('--epochs', default=3, type=int)
    parser.add_argument('--lr-max', default=0.05, type=float)
    parser.add_argument('--lr-schedule', default='piecewise', choices=['superconverge', 'piecewise', 'linear'])
    parser.add_argument('--attack', default='pgd', type=str, choices=['pgd', 'fgsm', 'none', 'trades'])
    parser.add_argument('--beta', default=6.0, type=float)
    parser.add_argument('--epsilon', default=8, type=int)
    parser.add_argument('--attack-iters', default=4, type=int)
    parser.add_argument('--attack-iters-test', default=5, type=int)
    parser.add_argument('--restarts', default=1, type=int)
    parser.add_argument('--pgd-alpha', default=2, type=float)
    parser.add_argument('--norm', default='l_inf', type=str, choices=['l_inf', 'l_2'])
    parser.add_argument('--fname', default='out/cifar_model', type=str)
    parser.add_argument('--seed', default=0, type=int)
    parser.add_argument('--train-size', default=256, type=int)
    parser.add_argument('--chkpt-iters', default=2, type=int)
    return parser.parse_args()


def main():
    args = get_args()
    os.makedirs(args.fname, exist_ok=True)
    logging.basicConfig(
        format='[%(asctime)s] - %(message)s', datefmt='%Y/%m/%d %H:%M:%S', level=logging.INFO,
        handlers=[logging.FileHandler(os.path.join(args.fname, 'output.log')), logging.StreamHandler()])
    logger.info(args)

    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.cuda.manual_seed(args.seed)

    train_batches = Batches(args.train_size, args.batch_size, shuffle=True, seed=1)
    test_batches = Batches(96, args.batch_size, shuffle=False, seed=2)

    epsilon = (args.epsilon / 255.)
    pgd_alpha = (args.pgd_alpha / 255.)

    model = PreActResNet().cuda()
    model = nn.DataParallel(model).cuda() if torch.cuda.device_count() > 1 else model
    model.train()

    opt = torch.optim.SGD(model.parameters(), lr=args.lr_max, momentum=0.9, weight_decay=5e-4)
    criterion = nn.CrossEntropyLoss()
    epochs = args.epochs

    if args.lr_schedule == 'superconverge':
        lr_schedule = lambda t: np.interp([t], [0, epochs * 2 // 5, epochs], [0, args.lr_max, 0])[0]
    elif args.lr_schedule == 'linear':
        lr_schedule = lambda t: np.interp([t], [0, epochs // 3, epochs * 2 // 3, epochs],
                                          [args.lr_max, args.lr_max, args.lr_max / 10, args.lr_max / 100])[0]
    else:
        def lr_schedule(t):
            if t / epochs < 0.5:
                return args.lr_max
            elif t / epochs < 0.75:
                return args.lr_max / 10.
            else:
                return args.lr_max / 100.

    best_test_robust_acc = 0
    logger.info('Epoch \t Train Time \t Test Time \t LR \t \t Train Loss \t Train Acc \t Train Robust Loss \t '
                'Train Robust Acc \t Test Loss \t Test Acc \t Test Robust Loss \t Test Robust Acc')
    for epoch in range(epochs):
        model.train()
        start_time = time.time()
        train_loss = 0
        train_acc = 0
        train_robust_loss = 0
        train_robust_acc = 0
        train_n = 0
        for i, batch in enumerate(train_batches):
            X, y = batch['input'], batch['target']
            lr = lr_schedule(epoch + (i + 1) / len(train_batches))
            opt.param_groups[0].update(lr=lr)

            if args.attack == 'pgd':
                delta = attack_pgd(model, X, y, epsilon, pgd_alpha, args.attack_iters, args.restarts, args.norm)
                delta = delta.detach()
            elif args.attack == 'fgsm':
                delta = attack_pgd(model, X, y, epsilon, 1.25 * epsilon, 1, 1, args.norm)
            else:
                delta = torch.zeros_like(X)

            robust_output = model(normalize(torch.clamp(X + delta[:X.size(0)], min=lower_limit, max=upper_limit)))
            robust_loss = criterion(robust_output, y)
            if args.l2:
                for name, param in model.named_parameters():
                    if 'bn' not in name and 'bias' not in name:
                        robust_loss += args.l2 * param.pow(2).sum()

            opt.zero_grad()
            robust_loss.backward()
            opt.step()

            output = model(normalize(X))
            loss = criterion(output, y)

            train_robust_loss += robust_loss.item() * y.size(0)
            train_robust_acc += (robust_output.max(1)[1] == y).sum().item()
            train_loss += loss.item() * y.size(0)
            train_acc += (output.max(1)[1] == y).sum().item()
            train_n += y.size(0)

        train_time = time.time()

        model.eval()
        test_loss, test_acc, test_robust_loss, test_robust_acc, test_n = 0, 0, 0, 0, 0
        for i, batch in enumerate(test_batches):
            X, y = batch['input'], batch['target']
            if args.attack == 'none':
                delta = torch.zeros_like(X)
            else:
                delta = attack_pgd(model, X, y, epsilon, pgd_alpha, args.attack_iters_test, args.restarts, args.norm,
                                   early_stop=True)
            delta = delta.detach()
            with torch.no_grad():
                robust_output = model(normalize(torch.clamp(X + delta, min=lower_limit, max=upper_limit)))
                robust_loss = criterion(robust_output, y)
                output = model(normalize(X))
                loss = criterion(output, y)
            test_robust_loss += robust_loss.item() * y.size(0)
            test_robust_acc += (robust_output.max(1)[1] == y).sum().item()
            test_loss += loss.item() * y.size(0)
            test_acc += (output.max(1)[1] == y).sum().item()
            test_n += y.size(0)
        test_time = time.time()

        logger.info('%d \t %.1f \t \t %.1f \t \t %.4f \t %.4f \t %.4f \t %.4f \t \t %.4f \t \t '
                    '%.4f \t %.4f \t %.4f \t \t %.4f',
                    epoch, train_time - start_time, test_time - train_time, lr,
                    train_loss / train_n, train_acc / train_n,
                    train_robust_loss / train_n, train_robust_acc / train_n,
                    test_loss / test_n, test_acc / test_n,
                    test_robust_loss / test_n, test_robust_acc / test_n)

        # save checkpoint
        if (epoch + 1) % args.chkpt_iters == 0 or epoch + 1 == epochs:
            torch.save(model.state_dict(), os.path.join(args.fname, f'model_{epoch}.pth'))
            torch.save(opt.state_dict(), os.path.join(args.fname, f'opt_{epoch}.pth'))

        # save best
        if test_robust_acc / test_n > best_test_robust_acc:
            torch.save({
                'state_dict': copy.deepcopy(model.state_dict()),
                'test_robust_acc': test_robust_acc / test_n,
                'test_acc': test_acc / test_n,
            }, os.path.join(args.fname, 'model_best.pth'))
            best_test_robust_acc = test_robust_acc / test_n


if __name__ == "__main__":
    main()
