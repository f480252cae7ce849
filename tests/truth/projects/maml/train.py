"""
MAML few-shot classification, "glyphs" instead of Omniglot.

    python train.py --n_way 5 --k_spt 1 --k_qry 5 --update_step 3
"""
import argparse
import copy
import os

import numpy as np
import scipy.ndimage
import torch
from torch import nn, optim
from torch.nn import functional as F


class GlyphNShot:
    """Task sampler with the interface of OmniglotNShot: next('train') -> spt_x, spt_y, qry_x, qry_y"""

    def __init__(self, batchsz, n_way, k_shot, k_query, imgsz, n_cls=60, per_cls=12, seed=0):
        rs = np.random.RandomState(seed)
        x = np.zeros((n_cls, per_cls, 1, imgsz, imgsz), dtype=np.float32)
        for c in range(n_cls):
            pts = np.cumsum(rs.randn(12, 2), 0)
            pts = (pts - pts.min(0)) / (np.ptp(pts, axis=0) + 1e-6) * (imgsz - 5) + 2
            for j in range(per_cls):
                img = np.zeros((imgsz, imgsz), np.float32)
                q = pts + rs.randn(12, 2) * 0.4
                for a, b in zip(q[:-1], q[1:]):
                    for s in np.linspace(0, 1, 10):
                        p = np.clip((a * (1 - s) + b * s).round().astype(int), 0, imgsz - 1)
                        img[p[0], p[1]] = 1
                x[c, j, 0] = scipy.ndimage.gaussian_filter(img, 0.6)
        cut = int(n_cls * 0.75)
        self.x_train, self.x_test = x[:cut], x[cut:]
        self.batchsz, self.n_way, self.k_shot, self.k_query, self.resize = batchsz, n_way, k_shot, k_query, imgsz
        self.rs = rs
        self.indexes = {"train": 0, "test": 0}
        self.datasets = {"train": self.x_train, "test": self.x_test}
        print("DB: train", self.x_train.shape, "test", self.x_test.shape)
        self.datasets_cache = {k: self.load_data_cache(v) for k, v in self.datasets.items()}

    def load_data_cache(self, data_pack, n_episodes=6):
        cache = []
        for _ in range(n_episodes):
            xs, ys, xq, yq = [], [], [], []
            for _ in range(self.batchsz):
                cls = self.rs.choice(data_pack.shape[0], self.n_way, False)
                a, b, c, d = [], [], [], []
                for j, cur in enumerate(cls):
                    sel = self.rs.choice(data_pack.shape[1], self.k_shot + self.k_query, False)
                    a.append(data_pack[cur][sel[:self.k_shot]])
                    c.append(data_pack[cur][sel[self.k_shot:]])
                    b.append([j] * self.k_shot)
                    d.append([j] * self.k_query)
                p, q = self.rs.permutation(self.n_way * self.k_shot), self.rs.permutation(self.n_way * self.k_query)
                xs.append(np.concatenate(a)[p]); ys.append(np.concatenate(b)[p])
                xq.append(np.concatenate(c)[q]); yq.append(np.concatenate(d)[q])
            cache.append([np.stack(v) for v in (xs, ys, xq, yq)])
        return cache

    def next(self, mode='train'):
        if self.indexes[mode] >= len(self.datasets_cache[mode]):
            self.indexes[mode] = 0
            self.datasets_cache[mode] = self.load_data_cache(self.datasets[mode])
        batch = self.datasets_cache[mode][self.indexes[mode]]
        self.indexes[mode] += 1
        return batch


class Learner(nn.Module):
    """Functional network: forward takes a list of weights"""

    def __init__(self, config):
        super(Learner, self).__init__()
        self.config = config
        self.vars = nn.ParameterList()
        self.vars_bn = nn.ParameterList()
        for name, param in self.config:
            if name == 'conv2d':
                w = nn.Parameter(torch.ones(*param[:4]))
                torch.nn.init.kaiming_normal_(w)
                self.vars.append(w)
                self.vars.append(nn.Parameter(torch.zeros(param[0])))
            elif name == 'linear':
                w = nn.Parameter(torch.ones(*param))
                torch.nn.init.kaiming_normal_(w)
                self.vars.append(w)
                self.vars.append(nn.Parameter(torch.zeros(param[0])))
            elif name == 'bn':
                self.vars.append(nn.Parameter(torch.ones(param[0])))
                self.vars.append(nn.Parameter(torch.zeros(param[0])))
                running_mean = nn.Parameter(torch.zeros(param[0]), requires_grad=False)
                running_var = nn.Parameter(torch.ones(param[0]), requires_grad=False)
                self.vars_bn.extend([running_mean, running_var])
            elif name in ['relu', 'flatten']:
                continue
            else:
                raise NotImplementedError

    def forward(self, x, vars=None, bn_training=True):
        if vars is None:
            vars = self.vars
        idx, bn_idx = 0, 0
        for name, param in self.config:
            if name == 'conv2d':
                w, b = vars[idx], vars[idx + 1]
                x = F.conv2d(x, w, b, stride=param[4], padding=param[5])
                idx += 2
            elif name == 'linear':
                w, b = vars[idx], vars[idx + 1]
                x = F.linear(x, w, b)
                idx += 2
            elif name == 'bn':
                w, b = vars[idx], vars[idx + 1]
                running_mean, running_var = self.vars_bn[bn_idx], self.vars_bn[bn_idx + 1]
                x = F.batch_norm(x, running_mean, running_var, weight=w, bias=b, training=bn_training)
                idx += 2
                bn_idx += 2
            elif name == 'flatten':
                x = x.view(x.size(0), -1)
            elif name == 'relu':
                x = F.relu(x, inplace=True)
        assert idx == len(vars)
        assert bn_idx == len(self.vars_bn)
        return x

    def zero_grad(self, vars=None):
        with torch.no_grad():
            for p in (self.vars if vars is None else vars):
                if p.grad is not None:
                    p.grad.zero_()

    def parameters(self):
        """override this function since initial parameters will return with a generator."""
        return self.vars


class Meta(nn.Module):
    def __init__(self, args, config):
        super(Meta, self).__init__()
        self.update_lr = args.update_lr
        self.meta_lr = args.meta_lr
        self.task_num = args.task_num
        self.update_step = args.update_step
        self.update_step_test = args.update_step_test
        self.first_order = args.first_order
        self.net = Learner(config)
        self.meta_optim = optim.Adam(self.net.parameters(), lr=self.meta_lr)

    def clip_grad_by_norm_(self, grad, max_norm):
        total_norm = 0
        counter = 0
        for g in grad:
            param_norm = g.data.norm(2)
            total_norm += param_norm.item() ** 2
            counter += 1
        total_norm = total_norm ** (1. / 2)
        clip_coef = max_norm / (total_norm + 1e-6)
        if clip_coef < 1:
            for g in grad:
                g.data.mul_(clip_coef)
        return total_norm / counter

    def forward(self, x_spt, y_spt, x_qry, y_qry):
        """x_spt: [b, setsz, c_, h, w]"""
        task_num, setsz, c_, h, w = x_spt.size()
        querysz = x_qry.size(1)
        losses_q = [0 for _ in range(self.update_step + 1)]
        corrects = [0 for _ in range(self.update_step + 1)]

        for i in range(task_num):
            fast_weights = list(self.net.parameters())
            for k in range(self.update_step + 1):
                if k > 0:
                    logits = self.net(x_spt[i], fast_weights, bn_training=True)
                    loss = F.cross_entropy(logits, y_spt[i])
                    grad = torch.autograd.grad(loss, fast_weights, create_graph=not self.first_order)
                    fast_weights = list(map(lambda p: p[1] - self.update_lr * p[0], zip(grad, fast_weights)))
                last = k == self.update_step
                with torch.set_grad_enabled(last):
                    logits_q = self.net(x_qry[i], fast_weights, bn_training=True)
                    loss_q = F.cross_entropy(logits_q, y_qry[i])
                    losses_q[k] += loss_q
                with torch.no_grad():
                    pred_q = F.softmax(logits_q, dim=1).argmax(dim=1)
                    correct = torch.eq(pred_q, y_qry[i]).sum().item()
                    corrects[k] = corrects[k] + correct

        loss_q = losses_q[-1] / task_num
        self.meta_optim.zero_grad()
        loss_q.backward()
        gnorm = self.clip_grad_by_norm_([p.grad for p in self.net.parameters()], 10.)
        self.meta_optim.step()
        accs = np.array(corrects) / (querysz * task_num)
        return accs, loss_q, gnorm

    def finetunning(self, x_spt, y_spt, x_qry, y_qry):
        querysz = x_qry.size(0)
        corrects = [0 for _ in range(self.update_step_test + 1)]
        # in order to not ruin the state of running_mean/variance we finetune on the copied model
        net = copy.deepcopy(self.net)
        weights = list(net.parameters())
        for k in range(self.update_step_test + 1):
            if k > 0:
                loss = F.cross_entropy(net(x_spt, weights), y_spt)
                grad = torch.autograd.grad(loss, weights)
                weights = [w - self.update_lr * g for g, w in zip(grad, weights)]
            with torch.no_grad():
                pred_q = net(x_qry, weights).argmax(dim=1)
                corrects[k] += torch.eq(pred_q, y_qry).sum().item()
        del net
        return np.array(corrects) / querysz


def main(args):
    torch.manual_seed(222)
    torch.cuda.manual_seed_all(222)
    np.random.seed(222)
    print(args)

    c = args.channels
    config = []
    for i in range(3):
        config += [('conv2d', [c, args.imgc if i == 0 else c, 3, 3, 2, 1]), ('relu', [True]), ('bn', [c])]
    feat = c * int(np.ceil(args.imgsz / 8)) ** 2
    config += [('flatten', []), ('linear', [args.n_way, feat])]

    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    maml = Meta(args, config).to(device)
    tmp = filter(lambda x: x.requires_grad, maml.parameters())
    num = sum(map(lambda x: np.prod(x.shape), tmp))
    print('Total trainable tensors:', num)

    db_train = GlyphNShot(batchsz=args.task_num, n_way=args.n_way, k_shot=args.k_spt, k_query=args.k_qry,
                          imgsz=args.imgsz)
    best = 0
    for step in range(args.epoch):
        x_spt, y_spt, x_qry, y_qry = db_train.next()
        x_spt, y_spt, x_qry, y_qry = torch.from_numpy(x_spt).to(device), torch.from_numpy(y_spt).to(device), \
                                     torch.from_numpy(x_qry).to(device), torch.from_numpy(y_qry).to(device)
        # set traning=True to update running_mean, running_variances, bn_weights, bn_bias
        accs, loss, gnorm = maml(x_spt, y_spt, x_qry, y_qry)

        if step % args.print_every == 0:
            print('step:', step, '\tloss: %.4f' % loss.item(), '\tgrad: %.3f' % gnorm, '\ttraining acc:', accs.round(3))

        if (step + 1) % args.test_every == 0:
            accs = []
            for _ in range(args.test_batches):
                x_spt, y_spt, x_qry, y_qry = [torch.from_numpy(a).to(device) for a in db_train.next('test')]
                # split to single task each time
                for x_spt_one, y_spt_one, x_qry_one, y_qry_one in zip(x_spt, y_spt, x_qry, y_qry):
                    accs.append(maml.finetunning(x_spt_one, y_spt_one, x_qry_one, y_qry_one))
            # [b, update_step+1]
            accs = np.array(accs).mean(axis=0).astype(np.float16)
            print('Test acc:', accs)
            if accs[-1] > best:
                best = accs[-1]
                os.makedirs('out', exist_ok=True)
                torch.save({'net': maml.net.state_dict(), 'optim': maml.meta_optim.state_dict(), 'step': step},
                           'out/maml_%dway_%dshot.pt' % (args.n_way, args.k_spt))


if __name__ == '__main__':
    argparser = argparse.ArgumentParser()
    argparser.add_argument('--epoch', type=int, help='epoch number', default=20)
    argparser.add_argument('--n_way', type=int, help='n way', default=5)
    argparser.add_argument('--k_spt', type=int, help='k shot for support set', default=1)
    argparser.add_argument('--k_qry', type=int, help='k shot for query set', default=5)
    argparser.add_argument('--imgsz', type=int, help='imgsz', default=16)
    argparser.add_argument('--imgc', type=int, help='imgc', default=1)
    argparser.add_argument('--channels', type=int, default=16)
    argparser.add_argument('--task_num', type=int, help='meta batch size, namely task num', default=4)
    argparser.add_argument('--meta_lr', type=float, help='meta-level outer learning rate', default=3e-3)
    argparser.add_argument('--update_lr', type=float, help='task-level inner update learning rate', default=0.1)
    argparser.add_argument('--update_step', type=int, help='task-level inner update steps', default=3)
    argparser.add_argument('--update_step_test', type=int, help='update steps for finetunning', default=5)
    argparser.add_argument('--first_order', action='store_true')
    argparser.add_argument('--print_every', type=int, default=4)
    argparser.add_argument('--test_every', type=int, default=10)
    argparser.add_argument('--test_batches', type=int, default=2)
    args = argparser.parse_args()
    main(args)
