import datetime
import logging
import math
import os
import random
import time

import numpy as np
import torch

from data import CUDAPrefetcher, EnlargedSampler, PairedImageDataset
from models import SRModel
from options import opt


def main():
    os.makedirs(opt['path']['experiments_root'], exist_ok=True)
    logging.basicConfig(format='%(asctime)s %(levelname)s: %(message)s', level=logging.INFO)
    logger = logging.getLogger('basicsr')
    logger.addHandler(logging.FileHandler(os.path.join(opt['path']['experiments_root'], 'train.log'), 'w'))

    seed = opt['manual_seed']
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.backends.cudnn.benchmark = True

    dset_opt = opt['datasets']['train']
    train_set = PairedImageDataset(dset_opt, opt['scale'])
    train_sampler = EnlargedSampler(train_set, ratio=1)
    train_loader = torch.utils.data.DataLoader(train_set, batch_size=dset_opt['batch_size'], sampler=train_sampler,
                                               num_workers=0, drop_last=True, pin_memory=True)
    val_loader = torch.utils.data.DataLoader(PairedImageDataset(opt['datasets']['val'], opt['scale'], seed=1),
                                             batch_size=1, shuffle=False)
    total_iters = int(opt['train']['total_iter'])
    total_epochs = math.ceil(total_iters / len(train_loader))
    logger.info(f'Number of train images: {len(train_set)}, total epochs: {total_epochs}; iters: {total_iters}.')

    model = SRModel(opt)
    prefetcher = CUDAPrefetcher(train_loader, model.device)
    current_iter = 0
    data_time, iter_time = time.time(), time.time()
    start_time = time.time()
    for epoch in range(0, total_epochs + 1):
        train_sampler.set_epoch(epoch)
        prefetcher.reset()
        train_data = prefetcher.next()

        while train_data is not None:
            data_time = time.time() - data_time
            current_iter += 1
            if current_iter > total_iters:
                break
            model.feed_data(train_data)
            model.optimize_parameters(current_iter)
            model.scheduler.step()
            iter_time = time.time() - iter_time
            if current_iter % opt['logger']['print_freq'] == 0:
                lr = model.optimizer_g.param_groups[0]['lr']
                eta = (time.time() - start_time) / current_iter * (total_iters - current_iter)
                message = f'[epoch:{epoch:3d}, iter:{current_iter:8,d}, lr:({lr:.3e},)] ' \
                          f'[eta: {datetime.timedelta(seconds=int(eta))}, time (data): ' \
                          f'{iter_time:.3f} ({data_time:.3f})] '
                for k, v in model.log_dict.items():
                    message += f'{k}: {v:.4e} '
                logger.info(message)
            if current_iter % opt['logger']['save_checkpoint_freq'] == 0:
                logger.info('Saving models and training states.')
                model.save(epoch, current_iter)
            if current_iter % opt['val']['val_freq'] == 0:
                model.validation(val_loader, current_iter, logger)
            data_time = time.time()
            iter_time = time.time()
            train_data = prefetcher.next()

    consumed_time = str(datetime.timedelta(seconds=int(time.time() - start_time)))
    logger.info(f'End of training. Time consumed: {consumed_time}')
    model.validation(val_loader, current_iter, logger)


if __name__ == '__main__':
    main()
