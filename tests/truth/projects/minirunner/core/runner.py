import os
import os.path as osp
import time

import torch

from .hooks import HOOKS, Hook
from .log_buffer import LogBuffer
from .registry import build_from_cfg

PRIORITIES = {'VERY_HIGH': 10, 'HIGH': 30, 'NORMAL': 50, 'LOW': 70, 'VERY_LOW': 90}


class Runner(object):

    def __init__(self, model, batch_processor, optimizer, work_dir, logger):
        assert callable(batch_processor)
        self.model = model
        self.batch_processor = batch_processor
        self.optimizer = optimizer
        self.work_dir = osp.abspath(work_dir)
        if not osp.exists(self.work_dir):
            os.makedirs(self.work_dir)
        self.logger = logger
        self.timestamp = time.strftime('%Y%m%d_%H%M%S', time.localtime())
        self.log_buffer = LogBuffer()
        self.mode = None
        self._hooks = []
        self._saved = []
        self.epoch = 0
        self.iter = 0
        self.inner_iter = 0
        self.max_epochs = 0
        self.max_iters = 0

    def register_hook(self, hook, priority='NORMAL'):
        if isinstance(hook, dict):
            hook = build_from_cfg(hook, HOOKS)
        assert isinstance(hook, Hook)
        hook.priority = PRIORITIES[priority]
        # insert the hook to a sorted list
        inserted = False
        for i in range(len(self._hooks) - 1, -1, -1):
            if hook.priority >= self._hooks[i].priority:
                self._hooks.insert(i + 1, hook)
                inserted = True
                break
        if not inserted:
            self._hooks.insert(0, hook)

    def call_hook(self, fn_name):
        for hook in self._hooks:
            getattr(hook, fn_name)(self)

    def current_lr(self):
        return [group['lr'] for group in self.optimizer.param_groups]

    def save_checkpoint(self, max_keep=-1):
        filename = osp.join(self.work_dir, 'epoch_{}.pth'.format(self.epoch + 1))
        state_dict = {k: v.cpu() for k, v in self.model.state_dict().items()}
        torch.save({
            'meta': dict(epoch=self.epoch + 1, iter=self.iter, time=time.asctime()),
            'state_dict': state_dict,
            'optimizer': self.optimizer.state_dict(),
        }, filename)
        self._saved.append(filename)
        if max_keep > 0 and len(self._saved) > max_keep:
            os.remove(self._saved.pop(0))

    def resume(self, checkpoint):
        ckpt = torch.load(checkpoint, map_location=lambda storage, loc: storage.cuda())
        self.model.load_state_dict(ckpt['state_dict'], strict=False)
        self.epoch = ckpt['meta']['epoch']
        self.iter = ckpt['meta']['iter']
        self.optimizer.load_state_dict(ckpt['optimizer'])
        self.logger.info('resumed epoch %d, iter %d', self.epoch, self.iter)

    def train(self, data_loader, **kwargs):
        self.model.train()
        self.mode = 'train'
        self.data_loader = data_loader
        self.max_iters = self.max_epochs * len(data_loader)
        self.call_hook('before_train_epoch')
        for i, data_batch in enumerate(data_loader):
            self.inner_iter = i
            self.call_hook('before_train_iter')
            outputs = self.batch_processor(self.model, data_batch, train_mode=True, **kwargs)
            if not isinstance(outputs, dict):
                raise TypeError('batch_processor() must return a dict')
            if 'log_vars' in outputs:
                self.log_buffer.update(outputs['log_vars'], outputs['num_samples'])
            self.outputs = outputs
            self.call_hook('after_train_iter')
            self.iter += 1
        self.call_hook('after_train_epoch')
        self.epoch += 1

    def val(self, data_loader, **kwargs):
        self.model.eval()
        self.mode = 'val'
        self.data_loader = data_loader
        self.call_hook('before_val_epoch')
        for i, data_batch in enumerate(data_loader):
            self.inner_iter = i
            self.call_hook('before_val_iter')
            with torch.no_grad():
                outputs = self.batch_processor(self.model, data_batch, train_mode=False, **kwargs)
            if 'log_vars' in outputs:
                self.log_buffer.update(outputs['log_vars'], outputs['num_samples'])
            self.outputs = outputs
            self.call_hook('after_val_iter')
        self.log_buffer.average()
        self.logger.info('val: %s', dict(self.log_buffer.output))
        self.log_buffer.clear_output()
        self.call_hook('after_val_epoch')

    def run(self, data_loaders, workflow, max_epochs):
        self.max_epochs = max_epochs
        self.logger.info('workflow: %s, max: %d epochs', workflow, max_epochs)
        self.call_hook('before_run')
        while self.epoch < max_epochs:
            for i, flow in enumerate(workflow):
                mode, epochs = flow
                epoch_runner = getattr(self, mode)
                for _ in range(epochs):
                    if mode == 'train' and self.epoch >= max_epochs:
                        return
                    epoch_runner(data_loaders[i])
        time.sleep(0.1)  # wait for some hooks like loggers to finish
        self.call_hook('after_run')
