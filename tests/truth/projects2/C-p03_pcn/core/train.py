import logging
import os
from time import time

import torch
from torch.utils.data import DataLoader

from core.test import test_net
from core.utils import AverageMeter, alpha_at, count_parameters, var_or_cuda
from datasets import ToyCompletion, collate_fn
from models import build_model
from models.chamfer import ChamferDistanceL1, ChamferDistanceL2


def init_weights(m):
    if type(m) in (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Linear):
        torch.nn.init.kaiming_normal_(m.weight)
        if m.bias is not None:
            torch.nn.init.constant_(m.bias, 0)
    elif type(m) in (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d):
        torch.nn.init.constant_(m.weight, 1)
        torch.nn.init.constant_(m.bias, 0)


def train_net(cfg, out_dir):
    torch.backends.cudnn.benchmark = True
    train_loader = DataLoader(ToyCompletion(cfg['dataset'], 'train'), batch_size=cfg['train']['batch_size'],
                              num_workers=2, collate_fn=collate_fn, pin_memory=True, shuffle=True, drop_last=True)
    val_loader = DataLoader(ToyCompletion(cfg['dataset'], 'val'), batch_size=cfg['test']['batch_size'],
                            num_workers=2, collate_fn=collate_fn, pin_memory=True, shuffle=False)

    network = build_model(cfg['network'], num_dense=cfg['dataset']['n_gt'])
    network.apply(init_weights)
    logging.info('Parameters in network: %d.' % count_parameters(network))
    if torch.cuda.is_available():
        network = torch.nn.DataParallel(network, device_ids=[0]).cuda()

    tc = cfg['train']
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, network.parameters()), lr=tc['lr'],
                                 weight_decay=tc['weight_decay'], betas=tuple(tc['betas']))
    lr_scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=tc['lr_milestones'], gamma=tc['gamma'])
    chamfer_l1, chamfer_l2 = ChamferDistanceL1(), ChamferDistanceL2()

    best_metrics = None
    n_itr = 0
    n_batches = len(train_loader)
    for epoch_idx in range(1, tc['n_epochs'] + 1):
        epoch_start_time = time()
        batch_time, data_time = AverageMeter(), AverageMeter()
        losses = AverageMeter(['CoarseLoss', 'FineLoss', 'CDL2'])
        network.train()
        batch_end_time = time()
        for batch_idx, (taxonomy_ids, model_ids, data) in enumerate(train_loader):
            data_time.update(time() - batch_end_time)
            for k, v in data.items():
                data[k] = var_or_cuda(v)
            coarse, fine = network(data['partial_cloud'])
            coarse_loss = chamfer_l1(coarse, data['gtcloud'])
            fine_loss = chamfer_l1(fine, data['gtcloud'])
            _loss = coarse_loss + alpha_at(tc['alpha_schedule'], n_itr) * fine_loss
            with torch.no_grad():
                cd2 = chamfer_l2(fine, data['gtcloud'])
            losses.update([coarse_loss.item() * 1000, fine_loss.item() * 1000, cd2.item() * 1000])

            network.zero_grad()
            _loss.backward()
            gnorm = torch.nn.utils.clip_grad_norm_(network.parameters(), tc['clip'])
            optimizer.step()
            n_itr += 1

            batch_time.update(time() - batch_end_time)
            batch_end_time = time()
            if batch_idx % tc['log_freq'] == 0:
                logging.info('[Epoch %d/%d][Batch %d/%d] BatchTime = %.3f (s) DataTime = %.3f (s) gnorm %.3f Losses = %s' % (
                    epoch_idx, tc['n_epochs'], batch_idx + 1, n_batches, batch_time.val(), data_time.val(),
                    gnorm, ['%.4f' % l for l in losses.val()]))

        lr_scheduler.step()
        logging.info('[Epoch %d/%d] EpochTime = %.3f (s) Losses = %s' % (
            epoch_idx, tc['n_epochs'], time() - epoch_start_time, ['%.4f' % l for l in losses.avg()]))

        cd, metrics = test_net(cfg, epoch_idx, val_loader, network)
        if best_metrics is None or cd < best_metrics:
            best_metrics = cd
            torch.save({'epoch_index': epoch_idx, 'best_metrics': best_metrics, 'network': network.state_dict()},
                       os.path.join(out_dir, 'ckpt-best.pth'))
            logging.info('Saved checkpoint ckpt-best.pth (CD %.4f)' % best_metrics)
    return best_metrics
