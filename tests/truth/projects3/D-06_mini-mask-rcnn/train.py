import argparse
import time

import torch
from torch.utils.data import DataLoader

from ap import average_precision
from model import MiniMaskRCNN
from shapes import CLASSES, ShapesDataset, collate, hflip

parser = argparse.ArgumentParser()
parser.add_argument('--epochs', type=int, default=5)
parser.add_argument('--batch', type=int, default=8)
parser.add_argument('--n_train', type=int, default=128)
parser.add_argument('--n_val', type=int, default=32)
parser.add_argument('--lr', type=float, default=1e-3)
parser.add_argument('--save', default='maskrcnn.pth')
args = parser.parse_args()

torch.manual_seed(0)
device = 'cuda' if torch.cuda.is_available() else 'cpu'
train_loader = DataLoader(ShapesDataset(args.n_train, seed=0), args.batch, shuffle=True, collate_fn=collate)
val_loader = DataLoader(ShapesDataset(args.n_val, seed=1), args.batch, collate_fn=collate)
net = MiniMaskRCNN(len(CLASSES)).to(device)
opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, [int(args.epochs * 0.8)], gamma=0.2)


def cuda(targets):
    return [{k: v.to(device) for k, v in t.items()} for t in targets]


for epoch in range(args.epochs):
    net.train()
    tic, sums = time.time(), {}
    for imgs, targets in train_loader:
        if torch.rand(1).item() < 0.5:
            imgs, targets = hflip(imgs, targets)
        losses = net(imgs.to(device), cuda(targets))
        loss = sum(losses.values())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        for k, v in losses.items():
            sums[k] = sums.get(k, 0) + v.item() / len(train_loader)
    sched.step()
    net.eval()
    res, gts = [], []
    with torch.no_grad():
        for imgs, targets in val_loader:
            res += net(imgs.to(device))
            gts += cuda(targets)
    ap50 = average_precision(res, gts, len(CLASSES), 0.5)
    ap75 = average_precision(res, gts, len(CLASSES), 0.75)
    print('epoch %d  %s  | mask AP50 %.3f AP75 %.3f  dets/img %.1f  (%.1fs)' % (
        epoch, ' '.join('%s %.3f' % kv for kv in sums.items()), ap50, ap75,
        sum(len(r['boxes']) for r in res) / len(res), time.time() - tic))
torch.save(net.state_dict(), args.save)
