import json
import math
import os.path as osp
import time
from collections import OrderedDict

import torch
from torch.nn.utils import clip_grad

from .registry import Registry

HOOKS = Registry('hook')


class Hook(object):

    def before_run(self, runner):
        pass

    def after_run(self, runner):
        pass

    def before_epoch(self, runner):
        pass

    def after_epoch(self, runner):
        pass

    def before_iter(self, runner):
        pass

    def after_iter(self, runner):
        pass

    def before_train_epoch(self, runner):
        self.before_epoch(runner)

    def before_val_epoch(self, runner):
        self.before_epoch(runner)

    def after_train_epoch(self, runner):
        self.after_epoch(runner)

    def after_val_epoch(self, runner):
        self.after_epoch(runner)

    def before_train_iter(self, runner):
        self.before_iter(runner)

    def before_val_iter(self, runner):
        self.before_iter(runner)

    def after_train_iter(self, runner):
        self.after_iter(runner)

    def after_val_iter(self, runner):
        self.after_iter(runner)

    def every_n_epochs(self, runner, n):
        return (runner.epoch + 1) % n == 0 if n > 0 else False

    def every_n_iters(self, runner, n):
        return (runner.iter + 1) % n == 0 if n > 0 else False

    def every_n_inner_iters(self, runner, n):
        return (runner.inner_iter + 1) % n == 0 if n > 0 else False

    def end_of_epoch(self, runner):
        return runner.inner_iter + 1 == len(runner.data_loader)


@HOOKS.register_module()
class OptimizerHook(Hook):

    def __init__(self, grad_clip=None):
        self.grad_clip = grad_clip

    def clip_grads(self, params):
        params = list(filter(lambda p: p.requires_grad and p.grad is not None, params))
        if len(params) > 0:
            return clip_grad.clip_grad_norm_(params, **self.grad_clip)

    def after_train_iter(self, runner):
        runner.optimizer.zero_grad()
        runner.outputs['loss'].backward()
        if self.grad_clip is not None:
            grad_norm = self.clip_grads(runner.model.parameters())
            if grad_norm is not None:
                # Add grad norm to the logger
                runner.log_buffer.update({'grad_norm': float(grad_norm)},
                                         runner.outputs['num_samples'])
        runner.optimizer.step()


@HOOKS.register_module()
class LrUpdaterHook(Hook):

    def __init__(self, policy='cosine', min_lr=0., warmup_iters=0, warmup_ratio=0.1):
        self.policy = policy
        self.min_lr = min_lr
        self.warmup_iters = warmup_iters
        self.warmup_ratio = warmup_ratio

    def before_run(self, runner):
        for group in runner.optimizer.param_groups:
            group.setdefault('initial_lr', group['lr'])
        self.base_lr = [g['initial_lr'] for g in runner.optimizer.param_groups]

    def get_lr(self, runner, base_lr):
        progress = runner.iter / float(max(runner.max_iters, 1))
        if self.policy == 'cosine':
            lr = self.min_lr + 0.5 * (base_lr - self.min_lr) * (1 + math.cos(math.pi * progress))
        else:
            lr = base_lr * (1 - progress)
        if runner.iter < self.warmup_iters:
            k = (1 - runner.iter / self.warmup_iters) * (1 - self.warmup_ratio)
            lr = lr * (1 - k)
        return lr

    def before_train_iter(self, runner):
        for group, base in zip(runner.optimizer.param_groups, self.base_lr):
            group['lr'] = self.get_lr(runner, base)


@HOOKS.register_module()
class EMAHook(Hook):
    """Exponential moving average of the parameters, kept as buffers."""

    def __init__(self, momentum=0.01, interval=1):
        self.momentum = momentum
        self.interval = interval

    def before_run(self, runner):
        model = runner.model
        self.param_ema_buffer = {}
        self.model_parameters = dict(model.named_parameters(recurse=True))
        for name, value in self.model_parameters.items():
            buffer_name = 'ema_{}'.format(name.replace('.', '_'))
            self.param_ema_buffer[name] = buffer_name
            model.register_buffer(buffer_name, value.data.clone())
        self.model_buffers = dict(model.named_buffers(recurse=True))

    def after_train_iter(self, runner):
        if runner.iter % self.interval != 0:
            return
        for name, parameter in self.model_parameters.items():
            buffer_parameter = self.model_buffers[self.param_ema_buffer[name]]
            buffer_parameter.mul_(1 - self.momentum).add_(parameter.data, alpha=self.momentum)

    def after_train_epoch(self, runner):
        self._swap()

    def before_train_epoch(self, runner):
        if runner.epoch > 0:
            self._swap()

    def _swap(self):
        for name, value in self.model_parameters.items():
            temp = value.data.clone()
            ema_buffer = self.model_buffers[self.param_ema_buffer[name]]
            value.data.copy_(ema_buffer.data)
            ema_buffer.data.copy_(temp)


@HOOKS.register_module()
class IterTimerHook(Hook):

    def before_epoch(self, runner):
        self.t = time.time()

    def before_iter(self, runner):
        runner.log_buffer.update({'data_time': time.time() - self.t})

    def after_iter(self, runner):
        runner.log_buffer.update({'time': time.time() - self.t})
        self.t = time.time()


@HOOKS.register_module()
class CheckpointHook(Hook):

    def __init__(self, interval=1, max_keep=2):
        self.interval = interval
        self.max_keep = max_keep

    def after_train_epoch(self, runner):
        if self.every_n_epochs(runner, self.interval):
            runner.save_checkpoint(max_keep=self.max_keep)


@HOOKS.register_module()
class EvalHook(Hook):

    def __init__(self, dataloader, interval=1):
        self.dataloader = dataloader
        self.interval = interval

    def after_train_epoch(self, runner):
        if not self.every_n_epochs(runner, self.interval):
            return
        runner.model.eval()
        results = []
        for data in self.dataloader:
            with torch.no_grad():
                result = runner.model(img=data['img'].cuda(), return_loss=False)
            results.extend(result)
        eval_res = self.dataloader.dataset.evaluate(results)
        for name, val in eval_res.items():
            runner.log_buffer.output[name] = val
        runner.log_buffer.ready = True


@HOOKS.register_module()
class TextLoggerHook(Hook):

    def __init__(self, interval=10):
        self.interval = interval
        self.time_sec_tot = 0

    def before_run(self, runner):
        self.json_log_path = osp.join(runner.work_dir, '{}.log.json'.format(runner.timestamp))

    def before_epoch(self, runner):
        runner.log_buffer.clear()

    def _get_max_memory(self, runner):
        mem = torch.cuda.max_memory_allocated()
        mem_mb = torch.tensor([mem / (1024 * 1024)], dtype=torch.int,
                              device=next(runner.model.parameters()).device)
        return mem_mb.item()

    def after_train_iter(self, runner):
        if self.every_n_inner_iters(runner, self.interval) or self.end_of_epoch(runner):
            runner.log_buffer.average(self.interval)
            self.log(runner)
            runner.log_buffer.clear_output()

    def after_train_epoch(self, runner):
        if runner.log_buffer.ready:
            self.log(runner, mode='val')
            runner.log_buffer.clear_output()

    def log(self, runner, mode='train'):
        log_dict = OrderedDict(mode=mode, epoch=runner.epoch + 1, iter=runner.inner_iter + 1)
        log_dict['lr'] = runner.current_lr()[0]
        if mode == 'train':
            log_dict['memory'] = self._get_max_memory(runner)
        for name, val in runner.log_buffer.output.items():
            log_dict[name] = val
        head = 'Epoch [{}][{}/{}]'.format(
            log_dict['epoch'], log_dict['iter'], len(runner.data_loader))
        if mode == 'val':
            head = 'Epoch(val) [{}]'.format(log_dict['epoch'])
        items = []
        for name, val in log_dict.items():
            if name in ('mode', 'epoch', 'iter'):
                continue
            if isinstance(val, float):
                val = '{:.4f}'.format(val)
            items.append('{}: {}'.format(name, val))
        runner.logger.info('%s\t%s', head, ', '.join(items))
        with open(self.json_log_path, 'a+') as f:
            json.dump({k: round(float(v), 5) if k != 'mode' else v
                       for k, v in log_dict.items()}, f)
            f.write('\n')
