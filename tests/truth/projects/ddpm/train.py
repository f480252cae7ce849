import copy
from pathlib import Path

import torch
from torch import nn
from torch.optim import Adam
from torch.utils.data import Dataset, DataLoader
from torchvision import utils

from diffusion import GaussianDiffusion, tqdm
from unet import Unet


def cycle(dl):
    while True:
        for data in dl:
            yield data


def num_to_groups(num, divisor):
    groups = num // divisor
    remainder = num % divisor
    arr = [divisor] * groups
    if remainder > 0:
        arr.append(remainder)
    return arr


class ShapesDataset(Dataset):
    """ small discs, stands in for a folder of images """

    def __init__(self, image_size, length=512):
        super().__init__()
        self.image_size = image_size
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        g = torch.Generator().manual_seed(index)
        s = self.image_size
        yy, xx = torch.meshgrid(torch.arange(s), torch.arange(s), indexing='ij')
        cy, cx = torch.randint(4, s - 4, (2,), generator=g).tolist()
        mask = ((yy - cy) ** 2 + (xx - cx) ** 2 < 16).float()
        return mask[None] * torch.rand(3, 1, 1, generator=g)


class EMA(nn.Module):
    def __init__(self, model, beta=0.995, update_every=10, update_after_step=4):
        super().__init__()
        self.beta = beta
        self.update_every = update_every
        self.update_after_step = update_after_step
        self.online_model = [model]  # hide from state dict
        self.ema_model = copy.deepcopy(model)
        self.ema_model.requires_grad_(False)
        self.register_buffer('initted', torch.tensor(False))
        self.register_buffer('step', torch.tensor(0))

    @property
    def model(self):
        return self.online_model[0]

    def copy_params_from_model_to_ema(self):
        for ma, cur in zip(self.ema_model.parameters(), self.model.parameters()):
            ma.data.copy_(cur.data)

    def update(self):
        step = self.step.item()
        self.step += 1
        if (step % self.update_every) != 0:
            return
        if step <= self.update_after_step:
            self.copy_params_from_model_to_ema()
            return
        if not self.initted.item():
            self.copy_params_from_model_to_ema()
            self.initted.data.copy_(torch.tensor(True))
        for ma, cur in zip(self.ema_model.parameters(), self.model.parameters()):
            ma.data.lerp_(cur.data, 1. - self.beta)


class Trainer(object):
    def __init__(self, diffusion_model, dataset, *, train_batch_size=16, gradient_accumulate_every=1,
                 train_lr=1e-4, train_num_steps=100000, ema_update_every=10, ema_decay=0.995,
                 adam_betas=(0.9, 0.99), save_and_sample_every=1000, num_samples=25,
                 results_folder='./out/results', amp=False, max_grad_norm=1.):
        super().__init__()
        self.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.amp = amp and self.device.type == 'cuda'
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.amp)
        self.model = diffusion_model.to(self.device)
        self.num_samples = num_samples
        self.save_and_sample_every = save_and_sample_every
        self.batch_size = train_batch_size
        self.gradient_accumulate_every = gradient_accumulate_every
        self.train_num_steps = train_num_steps
        self.max_grad_norm = max_grad_norm

        dl = DataLoader(dataset, batch_size=train_batch_size, shuffle=True, pin_memory=True, num_workers=0)
        self.dl = cycle(dl)
        self.opt = Adam(diffusion_model.parameters(), lr=train_lr, betas=adam_betas)
        self.ema = EMA(diffusion_model, beta=ema_decay, update_every=ema_update_every)
        self.ema.to(self.device)

        self.results_folder = Path(results_folder)
        self.results_folder.mkdir(exist_ok=True, parents=True)
        self.step = 0

    def save(self, milestone):
        data = {
            'step': self.step,
            'model': self.model.state_dict(),
            'opt': self.opt.state_dict(),
            'ema': self.ema.state_dict(),
            'scaler': self.scaler.state_dict(),
        }
        torch.save(data, str(self.results_folder / f'model-{milestone}.pt'))

    def load(self, milestone):
        data = torch.load(str(self.results_folder / f'model-{milestone}.pt'), map_location=self.device)
        self.model.load_state_dict(data['model'])
        self.step = data['step']
        self.opt.load_state_dict(data['opt'])
        self.ema.load_state_dict(data['ema'])
        self.scaler.load_state_dict(data['scaler'])

    def train(self):
        with tqdm(initial=self.step, total=self.train_num_steps) if hasattr(tqdm, 'write') else _Dummy() as pbar:
            while self.step < self.train_num_steps:
                total_loss = 0.
                for _ in range(self.gradient_accumulate_every):
                    data = next(self.dl).to(self.device)
                    with torch.autocast(self.device.type, enabled=self.amp):
                        loss = self.model(data)
                        loss = loss / self.gradient_accumulate_every
                        total_loss += loss.item()
                    self.scaler.scale(loss).backward()

                pbar.set_description(f'loss: {total_loss:.4f}')

                self.scaler.unscale_(self.opt)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_grad_norm)
                self.scaler.step(self.opt)
                self.scaler.update()
                self.opt.zero_grad()

                self.step += 1
                self.ema.update()
                if self.step != 0 and self.step % self.save_and_sample_every == 0:
                    self.ema.ema_model.eval()
                    with torch.inference_mode():
                        milestone = self.step // self.save_and_sample_every
                        batches = num_to_groups(self.num_samples, self.batch_size)
                        all_images_list = list(map(lambda n: self.ema.ema_model.sample(batch_size=n), batches))
                    all_images = torch.cat(all_images_list, dim=0)
                    utils.save_image(all_images, str(self.results_folder / f'sample-{milestone}.png'), nrow=4)
                    self.save(milestone)
                pbar.update(1)
        print('training complete')


class _Dummy:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def set_description(self, s):
        print(s)

    def update(self, n):
        pass


if __name__ == '__main__':
    model = Unet(dim=16, dim_mults=(1, 2, 4))
    diffusion = GaussianDiffusion(model, image_size=16, timesteps=50, min_snr_gamma=5)
    trainer = Trainer(
        diffusion,
        ShapesDataset(16),
        train_batch_size=16,
        train_lr=2e-4,
        train_num_steps=40,
        gradient_accumulate_every=2,
        ema_update_every=5,
        save_and_sample_every=20,
        num_samples=24,
        amp=True)
    trainer.train()
    trainer.load(2)
    print('resumed at', trainer.step)
