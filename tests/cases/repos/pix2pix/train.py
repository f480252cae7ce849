import time

import torch.utils.data
from models import create_model
from mydata.unaligned import UnalignedDataset
from options import TrainOptions
from util import util

if __name__ == '__main__':
    opt = TrainOptions().parse()
    dataset = torch.utils.data.DataLoader(UnalignedDataset(opt), batch_size=opt.batch_size, num_workers=4)
    model = create_model(opt)
    total_iters = 0
    for epoch in range(opt.epoch_count, opt.n_epochs + 1):
        epoch_start_time = time.time()
        for i, data in enumerate(dataset):
            total_iters += opt.batch_size
            model.set_input(data)
            model.optimize_parameters()
            if total_iters % opt.display_freq == 0:
                for label, image in model.get_current_visuals().items():
                    util.save_image(util.tensor2im(image), '%s.png' % label)
            if total_iters % opt.print_freq == 0:
                losses = model.get_current_losses()
                print(', '.join('%s: %.3f' % (k, v) for k, v in losses.items()))
        if epoch % opt.save_epoch_freq == 0:
            model.save_networks(epoch)
        print('End of epoch %d \t Time Taken: %d sec' % (epoch, time.time() - epoch_start_time))
