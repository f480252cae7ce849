"""General-purpose training script for unpaired image-to-image translation."""
import argparse
import time

import torch

from data.unaligned_dataset import UnalignedDataset
from models.cycle_gan_model import CycleGANModel
from util import Visualizer


def get_opt():
    p = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument('--name', type=str, default='stripes_cyclegan')
    p.add_argument('--gpu_ids', type=str, default='0', help='gpu ids: e.g. 0  0,1,2. use -1 for CPU')
    p.add_argument('--checkpoints_dir', type=str, default='./out')
    p.add_argument('--ngf', type=int, default=8)
    p.add_argument('--ndf', type=int, default=16)
    p.add_argument('--direction', type=str, default='AtoB')
    p.add_argument('--batch_size', type=int, default=2)
    p.add_argument('--crop_size', type=int, default=48)
    p.add_argument('--max_dataset_size', type=int, default=16)
    p.add_argument('--num_threads', default=0, type=int)
    p.add_argument('--print_freq', type=int, default=4)
    p.add_argument('--display_freq', type=int, default=8)
    p.add_argument('--save_latest_freq', type=int, default=10)
    p.add_argument('--save_epoch_freq', type=int, default=2)
    p.add_argument('--epoch_count', type=int, default=1)
    p.add_argument('--n_epochs', type=int, default=2)
    p.add_argument('--n_epochs_decay', type=int, default=1)
    p.add_argument('--beta1', type=float, default=0.5)
    p.add_argument('--lr', type=float, default=0.0002)
    p.add_argument('--lr_policy', type=str, default='linear')
    p.add_argument('--gan_mode', type=str, default='lsgan')
    p.add_argument('--pool_size', type=int, default=6)
    p.add_argument('--lambda_A', type=float, default=10.0)
    p.add_argument('--lambda_B', type=float, default=10.0)
    p.add_argument('--lambda_identity', type=float, default=0.5)
    opt = p.parse_args()
    str_ids = opt.gpu_ids.split(',')
    opt.gpu_ids = [int(i) for i in str_ids if int(i) >= 0]
    if not torch.cuda.is_available():
        opt.gpu_ids = []
    if len(opt.gpu_ids) > 0:
        torch.cuda.set_device(opt.gpu_ids[0])
    return opt


if __name__ == '__main__':
    opt = get_opt()
    dataset = UnalignedDataset(opt)
    dataloader = torch.utils.data.DataLoader(dataset, batch_size=opt.batch_size, shuffle=True,
                                             num_workers=opt.num_threads)
    dataset_size = len(dataset)
    print('The number of training images = %d' % dataset_size)

    model = CycleGANModel(opt)
    visualizer = Visualizer(opt)
    total_iters = 0

    for epoch in range(opt.epoch_count, opt.n_epochs + opt.n_epochs_decay + 1):
        epoch_start_time = time.time()
        iter_data_time = time.time()
        epoch_iter = 0
        for i, data in enumerate(dataloader):
            iter_start_time = time.time()
            if total_iters % opt.print_freq == 0:
                t_data = iter_start_time - iter_data_time

            total_iters += opt.batch_size
            epoch_iter += opt.batch_size
            model.set_input(data)
            model.optimize_parameters()

            if total_iters % opt.display_freq == 0:
                visualizer.display_current_results(model.get_current_visuals(), epoch)

            if total_iters % opt.print_freq == 0:
                losses = model.get_current_losses()
                t_comp = (time.time() - iter_start_time) / opt.batch_size
                visualizer.print_current_losses(epoch, epoch_iter, losses, t_comp, t_data)

            if total_iters % opt.save_latest_freq == 0:
                print('saving the latest model (epoch %d, total_iters %d)' % (epoch, total_iters))
                model.save_networks('latest')

            iter_data_time = time.time()
        if epoch % opt.save_epoch_freq == 0:
            print('saving the model at the end of epoch %d, iters %d' % (epoch, total_iters))
            model.save_networks('latest')
            model.save_networks(epoch)

        print('End of epoch %d / %d \t Time Taken: %d sec' % (
            epoch, opt.n_epochs + opt.n_epochs_decay, time.time() - epoch_start_time))
        model.update_learning_rate()
