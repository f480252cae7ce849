import os
import tempfile
import time

import numpy as np
import torch
import torch.nn.functional as F

from config import load_config
from nerf import HashField, OccupancyGrid, ToyDataset, render_image, render_rays
from nerf.render import distortion_loss

mse2psnr = lambda x: -10. * np.log10(max(x, 1e-10))
to8b = lambda x: (255 * np.clip(x, 0, 1)).astype(np.uint8)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.savedir = os.path.join(cfg.basedir or tempfile.mkdtemp(), cfg.expname)
        os.makedirs(self.savedir, exist_ok=True)
        with open(os.path.join(self.savedir, 'config.txt'), 'w') as f:
            for k in sorted(cfg):
                f.write('{} = {}\n'.format(k, cfg[k]))

        self.train_set = ToyDataset(cfg, 'train', self.device)
        self.val_set = ToyDataset(cfg, 'val', self.device)
        self.field = HashField(cfg).to(self.device)
        self.grid = OccupancyGrid(cfg.grid_res, cfg.bound, cfg.occ_thre, cfg.occ_decay).to(self.device)
        self.optimizer = torch.optim.Adam(self.field.get_params(cfg.lr), lr=cfg.lr, betas=(0.9, 0.99),
                                          eps=1e-15, weight_decay=cfg.weight_decay)
        self.scheduler = torch.optim.lr_scheduler.ChainedScheduler([
            torch.optim.lr_scheduler.LinearLR(self.optimizer, start_factor=0.1, total_iters=10),
            torch.optim.lr_scheduler.MultiStepLR(
                self.optimizer, milestones=[cfg.n_iters // 2, cfg.n_iters * 3 // 4], gamma=cfg.lr_decay)])
        self.scaler = torch.amp.GradScaler('cuda', enabled=cfg.fp16)
        self.step_size = 2 * cfg.bound * np.sqrt(3) / cfg.n_samples
        self.best_psnr = 0
        self.global_step = 0

    def train_step(self):
        cfg = self.cfg
        self.field.train()
        if self.global_step % cfg.update_interval == 0:
            self.grid.update(self.global_step, self.field.density, self.step_size, cfg.warmup_steps)
        rays_o, rays_d, target = self.train_set.sample()
        with torch.autocast('cuda', enabled=cfg.fp16):
            out = render_rays(self.field, self.grid, rays_o, rays_d, cfg.n_samples, cfg.bound,
                              cfg.white_bg, perturb=True)
        if out['n_samples'] == 0:
            return None, out
        # keep the number of samples per batch roughly constant
        self.train_set.update_num_rays(
            self.train_set.batch_size * cfg.target_samples / float(out['n_samples']))

        alive = out['opacity'] > 0
        img_loss = F.smooth_l1_loss(out['rgb'], target, beta=0.1)
        loss = img_loss
        if alive.any():
            o = out['opacity'][alive].clamp(1e-5, 1 - 1e-5)
            loss = loss + cfg.lambda_opa * -(o * torch.log(o)).mean()
        if cfg.use_distortion:
            loss = loss + cfg.lambda_dist * distortion_loss(out['weights'], out['t'], out['dt'])
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.scheduler.step()
        mse = F.mse_loss(out['rgb'].detach(), target)
        return {'loss': loss.item(), 'psnr': mse2psnr(mse.item())}, out

    def validate(self):
        self.field.eval()
        psnrs = []
        for i in range(len(self.val_set)):
            rgb, depth = render_image(self.field, self.grid, self.val_set.rays_o[i].to(self.device),
                                      self.val_set.rays_d[i].to(self.device), self.cfg.H, self.cfg.W,
                                      self.cfg.n_samples, self.cfg.bound, self.cfg.white_bg)
            gt = self.val_set.images[i].view(self.cfg.H, self.cfg.W, 3).numpy()
            psnrs.append(mse2psnr(float(np.mean((rgb - gt) ** 2))))
            np.save(os.path.join(self.savedir, '%06d_%02d.npy' % (self.global_step, i)), to8b(rgb))
        psnr = float(np.mean(psnrs))
        print('[VAL] iter %d psnr %.2f (best %.2f)' % (self.global_step, psnr, self.best_psnr))
        if psnr > self.best_psnr:
            self.best_psnr = psnr
            torch.save({'step': self.global_step, 'field': self.field.state_dict(), 'grid': self.grid.state_dict(),
                        'optim': self.optimizer.state_dict()}, os.path.join(self.savedir, 'best.tar'))
        return psnr

    def run(self):
        tic = time.time()
        n_rays = 0
        for _ in range(self.cfg.n_iters):
            stats, out = self.train_step()
            self.global_step += 1
            n_rays += out['rgb'].shape[0]
            if stats is not None and self.global_step % self.cfg.i_print == 0:
                el = time.time() - tic
                print('[TRAIN] iter %d loss %.5f psnr %.2f rays %d samples %d alive %.2f occ %.3f lr %.2e | %.1fs' % (
                    self.global_step, stats['loss'], stats['psnr'], self.train_set.batch_size, out['n_samples'],
                    (out['opacity'] > 0.5).float().mean(), self.grid.occupancy_ratio(),
                    self.optimizer.param_groups[0]['lr'], el))
            if self.global_step % self.cfg.i_val == 0:
                self.validate()
        torch.cuda.synchronize()
        el = time.time() - tic
        print('done: %.1fs, %.1fk rays/s' % (el, n_rays / el / 1e3))
        ckpt = torch.load(os.path.join(self.savedir, 'best.tar'), map_location=self.device)
        self.field.load_state_dict(ckpt['field'])
        self.grid.load_state_dict(ckpt['grid'])
        self.validate()


if __name__ == '__main__':
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    cfg = load_config()
    torch.manual_seed(cfg.seed)
    np.random.seed(cfg.seed)
    Trainer(cfg).run()
