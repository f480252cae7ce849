import argparse
import json
import math
import os
from datetime import datetime
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision.models import resnet

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None

from moco.builder import MoCo
from moco.loader import PairedImages, TwoCropsTransform, train_transform

parser = argparse.ArgumentParser(description='Train MoCo on CIFAR-10')
parser.add_argument('-a', '--arch', default='resnet18')
parser.add_argument('--lr', '--learning-rate', default=0.06, type=float, dest='lr')
parser.add_argument('--epochs', default=2, type=int)
parser.add_argument('--schedule', default=[120, 160], nargs='*', type=int)
parser.add_argument('--cos', action='store_true', help='use cosine lr schedule')
parser.add_argument('--batch-size', default=32, type=int)
parser.add_argument('--wd', default=5e-4, type=float)
parser.add_argument('--moco-dim', default=64, type=int)
parser.add_argument('--moco-k', default=256, type=int)
parser.add_argument('--moco-m', default=0.99, type=float)
parser.add_argument('--moco-t', default=0.1, type=float)
parser.add_argument('--mlp', action='store_true')
parser.add_argument('--knn-k', default=20, type=int)
parser.add_argument('--knn-t', default=0.1, type=float)
parser.add_argument('--train-size', default=256, type=int)
parser.add_argument('--resume', default='', type=str)
parser.add_argument('--results-dir', default='', type=str)


def small_resnet(num_classes=128, arch='resnet18'):
    net = getattr(resnet, arch)(num_classes=num_classes)
    net.conv1 = nn.Conv2d(3, 64, kernel_size=3, stride=2, padding=1, bias=False)
    net.maxpool = nn.Identity()
    return net


def train(net, data_loader, train_optimizer, epoch, args):
    net.train()
    adjust_learning_rate(train_optimizer, epoch, args)

    total_loss, total_num = 0.0, 0
    train_bar = tqdm(data_loader) if tqdm else data_loader
    for (im_1, im_2), _ in train_bar:
        im_1, im_2 = im_1.cuda(non_blocking=True), im_2.cuda(non_blocking=True)

        logits, labels = net(im_1, im_2)
        loss = F.cross_entropy(logits, labels)

        train_optimizer.zero_grad()
        loss.backward()
        train_optimizer.step()

        total_num += data_loader.batch_size
        total_loss += loss.item() * data_loader.batch_size
        if tqdm:
            train_bar.set_description('Train Epoch: [{}/{}], lr: {:.6f}, Loss: {:.4f}'.format(
                epoch, args.epochs, train_optimizer.param_groups[0]['lr'], total_loss / total_num))

    return total_loss / total_num


def adjust_learning_rate(optimizer, epoch, args):
    """Decay the learning rate based on schedule"""
    lr = args.lr
    if args.cos:  # cosine lr schedule
        lr *= 0.5 * (1. + math.cos(math.pi * epoch / args.epochs))
    else:  # stepwise lr schedule
        for milestone in args.schedule:
            lr *= 0.1 if epoch >= milestone else 1.
    for param_group in optimizer.param_groups:
        param_group['lr'] = lr


# test using a knn monitor
def test(net, memory_data_loader, test_data_loader, epoch, args):
    net.eval()
    classes = 5
    total_top1, total_num, feature_bank = 0.0, 0, []
    with torch.no_grad():
        # generate feature bank
        for data, target in memory_data_loader:
            feature = net(data.cuda(non_blocking=True))
            feature = F.normalize(feature, dim=1)
            feature_bank.append(feature)
        # [D, N]
        feature_bank = torch.cat(feature_bank, dim=0).t().contiguous()
        # [N]
        feature_labels = torch.tensor(memory_data_loader.dataset.targets.tolist(), device=feature_bank.device)
        # loop test data to predict the label by weighted knn search
        for data, target in test_data_loader:
            data, target = data.cuda(non_blocking=True), target.cuda(non_blocking=True)
            feature = F.normalize(net(data), dim=1)
            pred_labels = knn_predict(feature, feature_bank, feature_labels, classes, args.knn_k, args.knn_t)
            total_num += data.size(0)
            total_top1 += (pred_labels[:, 0] == target).float().sum().item()
            print('Test Epoch: [{}/{}] Acc@1:{:.2f}%'.format(epoch, args.epochs, total_top1 / total_num * 100))
    return total_top1 / total_num * 100


def knn_predict(feature, feature_bank, feature_labels, classes, knn_k, knn_t):
    sim_matrix = torch.mm(feature, feature_bank)
    sim_weight, sim_indices = sim_matrix.topk(k=knn_k, dim=-1)
    sim_labels = torch.gather(feature_labels.expand(feature.size(0), -1), dim=-1, index=sim_indices)
    sim_weight = (sim_weight / knn_t).exp()
    # counts for each class
    one_hot_label = torch.zeros(feature.size(0) * knn_k, classes, device=sim_labels.device)
    one_hot_label = one_hot_label.scatter(dim=-1, index=sim_labels.view(-1, 1), value=1.0)
    pred_scores = torch.sum(one_hot_label.view(feature.size(0), -1, classes) * sim_weight.unsqueeze(dim=-1), dim=1)
    return pred_scores.argsort(dim=-1, descending=True)


if __name__ == '__main__':
    args = parser.parse_args()
    args.cos = True
    if args.results_dir == '':
        args.results_dir = './out/cache-' + datetime.now().strftime("%Y-%m-%d-%H-%M-%S-moco")
    print(args)

    train_data = PairedImages(args.train_size, transform=TwoCropsTransform(train_transform))
    memory_data = PairedImages(args.train_size)
    test_data = PairedImages(96, seed=1)
    train_loader = DataLoader(train_data, args.batch_size, shuffle=True, pin_memory=True, drop_last=True)
    memory_loader = DataLoader(memory_data, args.batch_size, shuffle=False, pin_memory=True)
    test_loader = DataLoader(test_data, args.batch_size, shuffle=False, pin_memory=True)

    model = MoCo(partial(small_resnet, arch=args.arch), dim=args.moco_dim, K=args.moco_k, m=args.moco_m,
                 T=args.moco_t, mlp=args.mlp).cuda()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=args.lr, weight_decay=args.wd, momentum=0.9)

    epoch_start = 1
    if args.resume != '':
        checkpoint = torch.load(args.resume)
        model.load_state_dict(checkpoint['state_dict'])
        optimizer.load_state_dict(checkpoint['optimizer'])
        epoch_start = checkpoint['epoch'] + 1

    results = {'train_loss': [], 'test_acc@1': []}
    os.makedirs(args.results_dir, exist_ok=True)
    with open(args.results_dir + '/args.json', 'w') as fid:
        json.dump(args.__dict__, fid, indent=2)

    for epoch in range(epoch_start, args.epochs + 1):
        train_loss = train(model, train_loader, optimizer, epoch, args)
        results['train_loss'].append(train_loss)
        test_acc_1 = test(model.encoder_q, memory_loader, test_loader, epoch, args)
        results['test_acc@1'].append(test_acc_1)
        with open(args.results_dir + '/log.csv', 'w') as f:
            f.write('epoch,' + ','.join(results) + '\n')
            for e, row in enumerate(zip(*results.values()), epoch_start):
                f.write('%d,' % e + ','.join('%.4f' % v for v in row) + '\n')
        torch.save({'epoch': epoch, 'state_dict': model.state_dict(), 'optimizer': optimizer.state_dict()},
                   args.results_dir + '/model_last.pth')
