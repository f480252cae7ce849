import argparse
import os
import random
import time
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from torch.cuda import amp
from torch.optim import lr_scheduler

try:
    from tqdm import tqdm
except ImportError:
    from types import SimpleNamespace

    class tqdm:
        def __init__(self, it, **kw):
            self.it = it

        def __iter__(self):
            return iter(self.it)

        def set_description(self, s):
            print(s)

from utils.general import ap_per_class, non_max_suppression, process_batch, xywh2xyxy
from utils.loss import ComputeLoss

hyp = {'lr0': 0.01, 'lrf': 0.1, 'momentum': 0.937, 'weight_decay': 0.0005, 'warmup_epochs': 1.0,
       'warmup_momentum': 0.8, 'warmup_bias_lr': 0.1, 'box': 0.05, 'cls': 0.5, 'cls_pw': 1.0,
       'obj': 1.0, 'obj_pw': 1.0, 'anchor_t': 4.0}


def autopad(k, p=None):
    return k // 2 if p is None else p


class Conv(nn.Module):
    def __init__(self, c1, c2, k=1, s=1):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, k, s, autopad(k), bias=False)
        self.bn = nn.BatchNorm2d(c2)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


class Detect(nn.Module):
    def __init__(self, nc, anchors, ch, stride):
        super().__init__()
        self.nc, self.no, self.nl, self.na = nc, nc + 5, len(anchors), len(anchors[0]) // 2
        self.stride = stride
        a = torch.tensor(anchors).float().view(self.nl, -1, 2)
        self.register_buffer('anchors', a / torch.tensor(stride).view(-1, 1, 1))
        self.m = nn.ModuleList(nn.Conv2d(x, self.no * self.na, 1) for x in ch)

    def forward(self, x):
        z = []
        for i in range(self.nl):
            x[i] = self.m[i](x[i])
            bs, _, ny, nx = x[i].shape
            x[i] = x[i].view(bs, self.na, self.no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
            if not self.training:
                yv, xv = torch.meshgrid(torch.arange(ny), torch.arange(nx), indexing='ij')
                grid = torch.stack((xv, yv), 2).view(1, 1, ny, nx, 2).to(x[i].device) - 0.5
                y = x[i].sigmoid()
                xy = (y[..., 0:2] * 2 + grid) * self.stride[i]
                wh = (y[..., 2:4] * 2) ** 2 * self.anchors[i].view(1, self.na, 1, 1, 2) * self.stride[i]
                z.append(torch.cat((xy, wh, y[..., 4:]), 4).view(bs, -1, self.no))
        return x if self.training else (torch.cat(z, 1), x)


class Model(nn.Module):
    def __init__(self, nc=3):
        super().__init__()
        self.nc = nc
        self.stem = nn.Sequential(Conv(3, 16, 3, 2), Conv(16, 32, 3, 2), Conv(32, 64, 3, 2))
        self.down = nn.Sequential(Conv(64, 96, 3, 2), Conv(96, 96, 3))
        self.detect = Detect(nc, [[10, 13, 16, 20], [28, 28, 40, 36]], (64, 96), (8., 16.))

    def forward(self, x):
        p3 = self.stem(x)
        return self.detect([p3, self.down(p3)])


class ModelEMA:
    def __init__(self, model, decay=0.9999, updates=0):
        self.ema = deepcopy(model).eval()
        self.updates = updates
        self.decay = lambda x: decay * (1 - np.exp(-x / 200))
        for p in self.ema.parameters():
            p.requires_grad_(False)

    def update(self, model):
        self.updates += 1
        d = self.decay(self.updates)
        msd = model.state_dict()
        for k, v in self.ema.state_dict().items():
            if v.dtype.is_floating_point:
                v *= d
                v += (1 - d) * msd[k].detach()


class LoadImagesAndLabels(torch.utils.data.Dataset):
    def __init__(self, n, img_size=96, seed=0):
        self.img_size, self.seed, self.n = img_size, seed, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.RandomState(self.seed + i)
        s = self.img_size
        img = rng.randint(0, 80, (3, s, s)).astype(np.uint8)
        nl = rng.randint(1, 5)
        labels = torch.zeros((nl, 6))
        for j in range(nl):
            w, h = rng.randint(10, 40, 2)
            x, y, c = rng.randint(0, s - w), rng.randint(0, s - h), rng.randint(3)
            img[c, y:y + h, x:x + w] = 220
            labels[j, 1:] = torch.tensor([c, (x + w / 2) / s, (y + h / 2) / s, w / s, h / s])
        return torch.from_numpy(img), labels

    @staticmethod
    def collate_fn(batch):
        img, label = zip(*batch)
        for i, l in enumerate(label):
            l[:, 0] = i  # add target image index for build_targets()
        return torch.stack(img, 0), torch.cat(label, 0)


@torch.no_grad()
def val_run(model, dataloader, device, compute_loss, half=False):
    model.eval()
    iouv = torch.linspace(0.5, 0.95, 10, device=device)
    seen, stats, dt = 0, [], [0.0, 0.0]
    loss = torch.zeros(3, device=device)
    for batch_i, (im, targets) in enumerate(tqdm(dataloader, desc='val')):
        im = im.to(device, non_blocking=True).float() / 255
        targets = targets.to(device)
        nb, _, height, width = im.shape
        t1 = time_sync()
        out, train_out = model(im)
        dt[0] += time_sync() - t1
        loss += compute_loss([x.float() for x in train_out], targets)[1]
        targets[:, 2:] *= torch.tensor((width, height, width, height), device=device)
        t2 = time_sync()
        out = non_max_suppression(out, 0.05, 0.6)
        dt[1] += time_sync() - t2
        for si, pred in enumerate(out):
            labels = targets[targets[:, 0] == si, 1:]
            nl, npr = labels.shape[0], pred.shape[0]
            correct = torch.zeros(npr, 10, dtype=torch.bool, device=device)
            seen += 1
            if npr == 0:
                if nl:
                    stats.append((correct, *torch.zeros((2, 0), device=device), labels[:, 0]))
                continue
            if nl:
                tbox = xywh2xyxy(labels[:, 1:5])
                correct = process_batch(pred, torch.cat((labels[:, 0:1], tbox), 1), iouv)
            stats.append((correct, pred[:, 4], pred[:, 5], labels[:, 0]))
    stats = [torch.cat(x, 0).cpu().numpy() for x in zip(*stats)]
    mp = mr = map50 = map = 0.0
    if len(stats) and stats[0].any():
        p, r, ap, ap_class = ap_per_class(*stats)
        ap50, ap = ap[:, 0], ap.mean(1)
        mp, mr, map50, map = p.mean(), r.mean(), ap50.mean(), ap.mean()
    print(('%22s' + '%11i' + '%11.3g' * 4) % ('all', seen, mp, mr, map50, map))
    print('Speed: %.1fms inference, %.1fms NMS per image' % tuple(x / seen * 1E3 for x in dt))
    return (mp, mr, map50, map, *(loss.cpu() / len(dataloader)).tolist())


def time_sync():
    # PyTorch-accurate time
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.time()


def train(opt, device):
    save_dir = Path(opt.project)
    w = save_dir / 'weights'
    w.mkdir(parents=True, exist_ok=True)
    last, best = w / 'last.pt', w / 'best.pt'
    cuda = device.type != 'cpu'
    random.seed(0), np.random.seed(0), torch.manual_seed(0)

    model = Model(nc=3).to(device)
    nbs = 16
    accumulate = max(round(nbs / opt.batch_size), 1)
    g = [], [], []
    for v in model.modules():
        if hasattr(v, 'bias') and isinstance(v.bias, nn.Parameter):
            g[2].append(v.bias)
        if isinstance(v, nn.BatchNorm2d):
            g[1].append(v.weight)
        elif hasattr(v, 'weight') and isinstance(v.weight, nn.Parameter):
            g[0].append(v.weight)
    optimizer = torch.optim.SGD(g[2], lr=hyp['lr0'], momentum=hyp['momentum'], nesterov=True)
    optimizer.add_param_group({'params': g[0], 'weight_decay': hyp['weight_decay']})
    optimizer.add_param_group({'params': g[1], 'weight_decay': 0.0})
    lf = lambda x: (1 - x / opt.epochs) * (1.0 - hyp['lrf']) + hyp['lrf']
    scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=lf)
    ema = ModelEMA(model)

    dataset = LoadImagesAndLabels(opt.n_images, opt.imgsz)
    loader = torch.utils.data.DataLoader(dataset, opt.batch_size, shuffle=True, pin_memory=True,
                                         collate_fn=LoadImagesAndLabels.collate_fn)
    val_loader = torch.utils.data.DataLoader(LoadImagesAndLabels(32, opt.imgsz, 9999), opt.batch_size * 2,
                                             collate_fn=LoadImagesAndLabels.collate_fn)
    nb = len(loader)
    nw = max(round(hyp['warmup_epochs'] * nb), 4)
    last_opt_step = -1
    best_fitness = 0.0
    t0 = time.time()
    scaler = amp.GradScaler(enabled=cuda)
    compute_loss = ComputeLoss(model, hyp)
    for epoch in range(opt.epochs):
        model.train()
        mloss = torch.zeros(3, device=device)
        print(('\n' + '%11s' * 7) % ('Epoch', 'GPU_mem', 'box_loss', 'obj_loss', 'cls_loss', 'Instances', 'Size'))
        optimizer.zero_grad()
        pbar = tqdm(loader, total=nb)
        for i, (imgs, targets) in enumerate(pbar):
            ni = i + nb * epoch
            imgs = imgs.to(device, non_blocking=True).float() / 255
            if ni <= nw:
                xi = [0, nw]
                accumulate = max(1, np.interp(ni, xi, [1, nbs / opt.batch_size]).round())
                for j, x in enumerate(optimizer.param_groups):
                    x['lr'] = np.interp(ni, xi, [hyp['warmup_bias_lr'] if j == 0 else 0.0, hyp['lr0'] * lf(epoch)])
                    if 'momentum' in x:
                        x['momentum'] = np.interp(ni, xi, [hyp['warmup_momentum'], hyp['momentum']])
            with amp.autocast(enabled=cuda):
                pred = model(imgs)
                loss, loss_items = compute_loss(pred, targets.to(device))
            scaler.scale(loss).backward()
            if ni - last_opt_step >= accumulate:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=10.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                ema.update(model)
                last_opt_step = ni
            mloss = (mloss * i + loss_items) / (i + 1)
            mem = f'{torch.cuda.memory_reserved() / 1E9 if torch.cuda.is_available() else 0:.3g}G'
            pbar.set_description(('%11s' * 2 + '%11.4g' * 5) %
                                 (f'{epoch}/{opt.epochs - 1}', mem, *mloss, targets.shape[0], imgs.shape[-1]))
        scheduler.step()
        results = val_run(ema.ema, val_loader, device, compute_loss)
        fi = np.array(results[:4]) @ np.array([0.0, 0.0, 0.1, 0.9])
        if fi > best_fitness:
            best_fitness = fi
        ckpt = {'epoch': epoch, 'best_fitness': float(best_fitness), 'model': deepcopy(model).half().state_dict(),
                'ema': deepcopy(ema.ema).half().state_dict(), 'updates': ema.updates,
                'optimizer': optimizer.state_dict()}
        torch.save(ckpt, last)
        if best_fitness == fi:
            torch.save(ckpt, best)
        del ckpt
    print(f'\n{opt.epochs} epochs completed in {(time.time() - t0) / 3600:.3f} hours.')
    torch.cuda.empty_cache()


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=3)
    parser.add_argument('--batch-size', type=int, default=8)
    parser.add_argument('--imgsz', type=int, default=96)
    parser.add_argument('--n-images', type=int, default=96)
    parser.add_argument('--device', default='0', help='cuda device, i.e. 0 or cpu')
    parser.add_argument('--project', default='out/exp')
    opt = parser.parse_args()
    device = torch.device('cuda:' + opt.device if opt.device != 'cpu' and torch.cuda.is_available() else 'cpu')
    train(opt, device)
