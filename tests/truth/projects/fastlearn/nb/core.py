"exported from 09_learner.ipynb -- do not edit by hand"
import re
from functools import partial
from typing import Iterable

import torch
from torch import nn, tensor
import torch.nn.functional as F

__all__ = ['listify', 'camel2snake', 'Callback', 'CancelTrainException', 'CancelEpochException',
           'CancelBatchException', 'Learner', 'sgd_step', 'weight_decay', 'momentum_step', 'Optimizer',
           'param_getter', 'accuracy', 'device', 'to_device']

device = torch.device('cuda', 0) if torch.cuda.is_available() else torch.device('cpu')

_c1 = re.compile('(.)([A-Z][a-z]+)')
_c2 = re.compile('([a-z0-9])([A-Z])')


def camel2snake(name): return _c2.sub(r'\1_\2', _c1.sub(r'\1_\2', name)).lower()


def listify(o):
    if o is None: return []
    if isinstance(o, list): return o
    if isinstance(o, str): return [o]
    if isinstance(o, Iterable): return list(o)
    return [o]


def to_device(b, dev=device):
    if isinstance(b, (list, tuple)): return type(b)(to_device(o, dev) for o in b)
    if isinstance(b, dict): return {k: to_device(v, dev) for k, v in b.items()}
    return b.to(dev)


def accuracy(out, yb): return (torch.argmax(out, dim=1) == yb).float().mean()


class CancelTrainException(Exception): pass
class CancelEpochException(Exception): pass
class CancelBatchException(Exception): pass


class Callback():
    _order = 0
    def set_runner(self, run): self.run = run
    def __getattr__(self, k):
        if k == 'run': raise AttributeError(k)
        return getattr(self.run, k)

    @property
    def name(self):
        name = re.sub(r'Callback$', '', self.__class__.__name__)
        return camel2snake(name or 'callback')

    def __call__(self, cb_name):
        f = getattr(type(self), cb_name, None)
        if f and f(self): return True
        return False


# ---- optimizer built from steppers, as in the course -----

def sgd_step(p, grad, lr, **kw):
    p.data.add_(grad, alpha=-lr)
    return p


def weight_decay(p, grad, lr, wd, **kw):
    p.data.mul_(1 - lr * wd)
    return p


def momentum_step(p, grad, state, lr, mom, **kw):
    if 'grad_avg' not in state: state['grad_avg'] = torch.zeros_like(grad)
    state['grad_avg'].mul_(mom).add_(grad)
    p.data.add_(state['grad_avg'], alpha=-lr)
    return p


class Optimizer():
    def __init__(self, params, steppers, **defaults):
        params = list(params)
        if not isinstance(params[0], list): params = [params]
        self.param_groups = params
        self.hypers = [{**defaults} for p in self.param_groups]
        self.steppers = listify(steppers)
        self.state = {}

    def grad_params(self):
        return [(p, hyper) for pg, hyper in zip(self.param_groups, self.hypers)
                for p in pg if p.grad is not None]

    def zero_grad(self):
        for p, hyper in self.grad_params():
            p.grad.detach_()
            p.grad.zero_()

    def step(self):
        for p, hyper in self.grad_params():
            st = self.state.setdefault(p, {})
            for stepper in self.steppers: stepper(p, p.grad, state=st, **hyper)


def param_getter(m): return m.parameters()


class Learner():
    def __init__(self, model, data, loss_func, opt_func, lr=1e-2, splitter=param_getter, cbs=None, cb_funcs=None):
        self.model, self.data, self.loss_func = model, data, loss_func
        self.opt_func, self.lr, self.splitter = opt_func, lr, splitter
        self.in_train, self.logger, self.opt = False, print, None
        self.cbs = []
        self.add_cbs(cbs)
        self.add_cbs(cbf() for cbf in listify(cb_funcs))

    def add_cbs(self, cbs):
        for cb in listify(cbs): self.add_cb(cb)

    def add_cb(self, cb):
        cb.set_runner(self)
        setattr(self, cb.name, cb)
        self.cbs.append(cb)

    def one_batch(self, i, xb, yb):
        try:
            self.iter = i
            self.xb, self.yb = xb, yb;                      self('begin_batch')
            self.pred = self.model(self.xb);                self('after_pred')
            self.loss = self.loss_func(self.pred, self.yb); self('after_loss')
            if not self.in_train: return
            self.loss.backward();                           self('after_backward')
            self.opt.step();                                self('after_step')
            self.opt.zero_grad()
        except CancelBatchException:                        self('after_cancel_batch')
        finally:                                            self('after_batch')

    def all_batches(self):
        self.iters = len(self.dl)
        try:
            for i, (xb, yb) in enumerate(self.dl): self.one_batch(i, xb, yb)
        except CancelEpochException: self('after_cancel_epoch')

    def do_begin_epoch(self, epoch):
        self.epoch, self.dl = epoch, self.data.train_dl
        return self('begin_epoch')

    def fit(self, epochs, cbs=None, reset_opt=False):
        self.add_cbs(cbs)
        if reset_opt or not self.opt: self.opt = self.opt_func(self.splitter(self.model), lr=self.lr)
        try:
            self.epochs, self.loss = epochs, tensor(0.)
            self('begin_fit')
            for epoch in range(epochs):
                if not self.do_begin_epoch(epoch): self.all_batches()
                with torch.no_grad():
                    self.dl = self.data.valid_dl
                    if not self('begin_validate'): self.all_batches()
                self('after_epoch')
        except CancelTrainException: self('after_cancel_train')
        finally:
            self('after_fit')
            for cb in listify(cbs): self.cbs.remove(cb)

    def __call__(self, cb_name):
        res = False
        for cb in sorted(self.cbs, key=lambda x: x._order): res = cb(cb_name) or res
        return res
