import csv
import os

import torch


def update_summary(epoch, train_metrics, eval_metrics, filename, write_header=False):
    rowd = dict(epoch=epoch)
    rowd.update([('train_' + k, v) for k, v in train_metrics.items()])
    rowd.update([('eval_' + k, v) for k, v in eval_metrics.items()])
    with open(filename, mode='a') as cf:
        dw = csv.DictWriter(cf, fieldnames=rowd.keys())
        if write_header:
            dw.writeheader()
        dw.writerow(rowd)


class CheckpointSaver:
    def __init__(self, model, optimizer, args, model_ema=None, amp_scaler=None, checkpoint_dir=''):
        self.model = model
        self.optimizer = optimizer
        self.args = args
        self.model_ema = model_ema
        self.amp_scaler = amp_scaler
        self.best_epoch = None
        self.best_metric = None
        self.checkpoint_dir = checkpoint_dir

    def save_checkpoint(self, epoch, metric):
        save_state = {
            'epoch': epoch,
            'arch': self.args.model,
            'state_dict': self.model.state_dict(),
            'optimizer': self.optimizer.state_dict(),
            'args': self.args,
            'metric': metric,
        }
        if self.amp_scaler is not None:
            save_state[self.amp_scaler.state_dict_key] = self.amp_scaler.state_dict()
        if self.model_ema is not None:
            save_state['state_dict_ema'] = self.model_ema.module.state_dict()
        torch.save(save_state, os.path.join(self.checkpoint_dir, 'last.pth.tar'))
        if self.best_metric is None or metric > self.best_metric:
            self.best_epoch, self.best_metric = epoch, metric
            torch.save(save_state, os.path.join(self.checkpoint_dir, 'model_best.pth.tar'))
        return self.best_metric, self.best_epoch
