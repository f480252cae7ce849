import argparse
from functools import partial

import torch
from torch import nn
import torch.nn.functional as F

from nb import *


class GeneralRelu(nn.Module):
    def __init__(self, leak=None, sub=None, maxv=None):
        super().__init__()
        self.leak, self.sub, self.maxv = leak, sub, maxv

    def forward(self, x):
        x = F.leaky_relu(x, self.leak) if self.leak is not None else F.relu(x)
        if self.sub is not None: x = x - self.sub
        if self.maxv is not None: x = x.clamp_max(self.maxv)
        return x


def conv_layer(ni, nf, ks=3, stride=2, bn=True, **kwargs):
    layers = [nn.Conv2d(ni, nf, ks, padding=ks // 2, stride=stride, bias=not bn), GeneralRelu(**kwargs)]
    if bn: layers.append(nn.BatchNorm2d(nf, eps=1e-5, momentum=0.1))
    return nn.Sequential(*layers)


def get_cnn_model(data, nfs=(8, 16, 32, 32)):
    nfs = [1] + list(nfs)
    return nn.Sequential(
        *[conv_layer(nfs[i], nfs[i + 1], 5 if i == 0 else 3, leak=0.1, sub=0.4, maxv=6.) for i in range(len(nfs) - 1)],
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(nfs[-1], data.c))


def init_cnn(m):
    for l in m:
        if isinstance(l, nn.Sequential):
            nn.init.kaiming_normal_(l[0].weight, a=0.1)
            if l[0].bias is not None: l[0].bias.data.zero_()
    return m


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--epochs', type=int, default=4)
    p.add_argument('--lr', type=float, default=0.3)
    p.add_argument('--bs', type=int, default=64)
    p.add_argument('--mixup', type=float, default=0.3)
    p.add_argument('--find', action='store_true', default=True)
    a = p.parse_args()

    data = get_imagewoof_like(bs=a.bs)
    opt_func = partial(Optimizer, steppers=[weight_decay, momentum_step], wd=1e-3, mom=0.9)
    base = [TrainEvalCallback, CudaCallback, Recorder]

    if a.find:
        learn = Learner(init_cnn(get_cnn_model(data)), data, F.cross_entropy, opt_func, lr=1e-3,
                        cb_funcs=base + [partial(LR_Find, max_iter=30)])
        learn.fit(4)
        losses = learn.recorder.smooth()
        i = min(range(len(losses)), key=losses.__getitem__)
        print(f'lr_find: min loss {losses[i]:.3f} at lr {learn.recorder.lrs[i]:.2e}')

    sched = combine_scheds([0.3, 0.7], [sched_cos(a.lr / 10, a.lr), sched_cos(a.lr, a.lr / 100)])
    cbfs = base + [partial(AvgStatsCallback, accuracy), partial(ParamScheduler, 'lr', sched), ActivationStats,
                   partial(SaveBest, './out/fastlearn/best.pth'), EarlyStop]
    if a.mixup: cbfs.append(partial(MixUp, a.mixup))
    learn = Learner(init_cnn(get_cnn_model(data)), data, F.cross_entropy, opt_func, lr=a.lr, cb_funcs=cbfs)
    learn.fit(a.epochs)

    # look at the worst predictions
    learn.model.load_state_dict(torch.load('./out/fastlearn/best.pth'))
    learn.model.eval()
    all_losses = []
    for xb, yb in data.valid_dl:
        with torch.no_grad():
            out = learn.model(xb.to(device))
        all_losses += F.cross_entropy(out, yb.to(device), reduction='none').tolist()
    worst = torch.tensor(all_losses).topk(5)
    for l, i in zip(worst.values, worst.indices):
        print(f'idx {i.item():4d} loss {l.item():.3f} label {data.valid_ds.y[i].item()}')


if __name__ == '__main__':
    main()
