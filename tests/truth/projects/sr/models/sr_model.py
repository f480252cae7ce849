import os
from collections import OrderedDict
from copy import deepcopy

import torch
from torchvision.utils import save_image

from metrics import calculate_psnr, calculate_ssim, tensor2img
from .edsr_arch import EDSR


class SRModel:
    """Base SR model for single image super-resolution."""

    def __init__(self, opt):
        self.opt = opt
        self.device = torch.device('cuda' if opt['num_gpu'] != 0 else 'cpu')
        self.net_g = EDSR(upscale=opt['scale'], **opt['network_g']).to(self.device)
        load_path = opt['path'].get('pretrain_network_g', None)
        if load_path is not None:
            self.net_g.load_state_dict(torch.load(load_path, map_location=lambda storage, loc: storage)['params'])
        self.init_training_settings()

    def init_training_settings(self):
        self.net_g.train()
        train_opt = self.opt['train']
        self.ema_decay = train_opt.get('ema_decay', 0)
        if self.ema_decay > 0:
            self.net_g_ema = deepcopy(self.net_g)
            self.model_ema(0)  # copy net_g weight
            self.net_g_ema.eval()
        self.cri_pix = torch.nn.L1Loss().to(self.device)
        self.optimizer_g = torch.optim.Adam(self.net_g.parameters(), **train_opt['optim_g'])
        self.scheduler = torch.optim.lr_scheduler.MultiStepLR(self.optimizer_g, **train_opt['scheduler'])

    def feed_data(self, data):
        self.lq = data['lq'].to(self.device)
        if 'gt' in data:
            self.gt = data['gt'].to(self.device)

    def optimize_parameters(self, current_iter):
        self.optimizer_g.zero_grad()
        self.output = self.net_g(self.lq)
        l_total = 0
        loss_dict = OrderedDict()
        l_pix = self.opt['train']['pixel_weight'] * self.cri_pix(self.output, self.gt)
        l_total += l_pix
        loss_dict['l_pix'] = l_pix
        l_total.backward()
        self.optimizer_g.step()
        self.log_dict = self.reduce_loss_dict(loss_dict)
        if self.ema_decay > 0:
            self.model_ema(decay=self.ema_decay)

    def reduce_loss_dict(self, loss_dict):
        with torch.no_grad():
            log_dict = OrderedDict()
            for name, value in loss_dict.items():
                log_dict[name] = value.mean().item()
            return log_dict

    def model_ema(self, decay=0.999):
        net_g_params = dict(self.net_g.named_parameters())
        net_g_ema_params = dict(self.net_g_ema.named_parameters())
        for k in net_g_ema_params.keys():
            net_g_ema_params[k].data.mul_(decay).add_(net_g_params[k].data, alpha=1 - decay)

    def test(self):
        net = self.net_g_ema if hasattr(self, 'net_g_ema') else self.net_g
        net.eval()
        with torch.no_grad():
            self.output = net(self.lq)
        if net is self.net_g:
            self.net_g.train()

    def validation(self, dataloader, current_iter, logger):
        results = {'psnr': 0, 'ssim': 0}
        crop = self.opt['val']['crop_border']
        for idx, val_data in enumerate(dataloader):
            self.feed_data(val_data)
            self.test()
            sr_img, gt_img = tensor2img(self.output), tensor2img(self.gt)
            if self.opt['val']['save_img']:
                vis = os.path.join(self.opt['path']['experiments_root'], 'visualization')
                os.makedirs(vis, exist_ok=True)
                save_image(self.output.detach().cpu().clamp(0, 1), os.path.join(vis, f'{idx}_{current_iter}.png'))
            # tentative for out of GPU memory
            del self.lq
            del self.output
            torch.cuda.empty_cache()
            results['psnr'] += calculate_psnr(sr_img, gt_img, crop)
            results['ssim'] += calculate_ssim(sr_img, gt_img, crop)
        log_str = f'Validation iter {current_iter}\n'
        for metric in results:
            results[metric] /= (idx + 1)
            log_str += f'\t # {metric}: {results[metric]:.4f}\n'
        logger.info(log_str)
        return results

    def save(self, epoch, current_iter):
        root = self.opt['path']['experiments_root']
        save_dict = {}
        for net, key in ((self.net_g, 'params'), (self.net_g_ema, 'params_ema')):
            state_dict = net.state_dict()
            for k, param in state_dict.items():
                state_dict[k] = param.cpu()
            save_dict[key] = state_dict
        torch.save(save_dict, os.path.join(root, f'net_g_{current_iter}.pth'))
        torch.save({'epoch': epoch, 'iter': current_iter, 'optimizers': [self.optimizer_g.state_dict()],
                    'schedulers': [self.scheduler.state_dict()]}, os.path.join(root, f'{current_iter}.state'))
