import argparse
import logging
import os
import random
from collections import OrderedDict

import numpy as np
import torch

from core import Config, EvalHook, IterTimerHook, LrUpdaterHook, OptimizerHook, Runner
from core import CheckpointHook, TextLoggerHook
from datasets import build_dataloader, build_dataset
from models import build_classifier


def parse_args():
    parser = argparse.ArgumentParser(description='Train a classifier')
    parser.add_argument('config', nargs='?', default='configs/toy_r8.py')
    parser.add_argument('--work_dir', help='the dir to save logs and models')
    parser.add_argument('--resume_from', help='the checkpoint file to resume from')
    parser.add_argument('--seed', type=int, default=None, help='random seed')
    return parser.parse_args()


def set_random_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


def parse_losses(losses):
    log_vars = OrderedDict()
    for loss_name, loss_value in losses.items():
        if isinstance(loss_value, torch.Tensor):
            log_vars[loss_name] = loss_value.mean()
        elif isinstance(loss_value, list):
            log_vars[loss_name] = sum(_loss.mean() for _loss in loss_value)
        elif isinstance(loss_value, dict):
            for name, value in loss_value.items():
                log_vars[name] = value
        else:
            raise TypeError('{} is not a tensor or list of tensors'.format(loss_name))

    loss = sum(_value for _key, _value in log_vars.items() if 'loss' in _key)

    log_vars['loss'] = loss
    for name in log_vars:
        log_vars[name] = log_vars[name].item()

    return loss, log_vars


def batch_processor(model, data, train_mode):
    data = {k: v.cuda() for k, v in data.items()}
    losses = model(**data)
    loss, log_vars = parse_losses(losses)
    return dict(loss=loss, log_vars=log_vars, num_samples=len(data['img'].data))


def build_optimizer(model, cfg):
    cfg = dict(cfg)
    return getattr(torch.optim, cfg.pop('type'))(params=model.parameters(), **cfg)


def main():
    args = parse_args()
    cfg = Config.fromfile(os.path.join(os.path.dirname(os.path.abspath(__file__)), args.config))
    if args.work_dir is not None:
        cfg.work_dir = args.work_dir
    torch.backends.cudnn.benchmark = True
    logging.basicConfig(format='%(asctime)s - %(levelname)s - %(message)s', level=logging.INFO)
    logger = logging.getLogger('minirunner')
    if args.seed is not None:
        logger.info('Set random seed to {}'.format(args.seed))
        set_random_seed(args.seed)

    model = build_classifier(cfg.model).cuda()
    datasets = [build_dataset(cfg.data.train), build_dataset(cfg.data.val)]
    loaders = [build_dataloader(ds, cfg.data.samples_per_gpu, cfg.data.workers_per_gpu, shuffle=(i == 0))
               for i, ds in enumerate(datasets)]
    optimizer = build_optimizer(model, cfg.optimizer)
    runner = Runner(model, batch_processor, optimizer, cfg.work_dir, logger)

    runner.register_hook(LrUpdaterHook(**cfg.lr_config), 'VERY_HIGH')
    runner.register_hook(OptimizerHook(**cfg.optimizer_config), 'HIGH')
    for hook_cfg in cfg.get('custom_hooks', []):
        runner.register_hook(hook_cfg)
    runner.register_hook(CheckpointHook(**cfg.checkpoint_config))
    runner.register_hook(IterTimerHook(), 'LOW')
    runner.register_hook(EvalHook(loaders[1], **cfg.evaluation), 'LOW')
    runner.register_hook(TextLoggerHook(**cfg.log_config), 'VERY_LOW')

    if args.resume_from:
        runner.resume(args.resume_from)
    runner.run(loaders, cfg.workflow, cfg.total_epochs)


if __name__ == '__main__':
    main()
