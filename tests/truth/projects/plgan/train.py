import copy
import math
from argparse import ArgumentParser
from pathlib import Path

import pytorch_lightning as L
import torch
import torchvision
from pytorch_lightning.callbacks import Callback, ModelCheckpoint
from torch.utils.data import DataLoader, Dataset

from fid import FIDMeter, RandomFeatures
from losses import LOSSES, r1_penalty
from networks import Discriminator, Generator


class ShapesDataset(Dataset):
    """Coloured circles / squares / stripes / checkerboards, 32x32"""

    def __init__(self, n=256, size=32, transform=None):
        self.n, self.size, self.transform = n, size, transform

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        label = i % 4
        yy, xx = torch.meshgrid(torch.arange(self.size), torch.arange(self.size), indexing="ij")
        cy, cx = torch.randint(10, 22, (2,), generator=g).tolist()
        r = torch.randint(5, 10, (1,), generator=g).item()
        if label == 0:
            mask = (yy - cy) ** 2 + (xx - cx) ** 2 < r ** 2
        elif label == 1:
            mask = ((yy - cy).abs() < r) & ((xx - cx).abs() < r)
        elif label == 2:
            mask = ((yy + cy) // 4) % 2 == 0
        else:
            mask = (((yy + cy) // 6) + ((xx + cx) // 6)) % 2 == 0
        color = torch.rand(3, 1, 1, generator=g)
        img = mask.float() * color * 2 - 1
        if self.transform is not None:
            img = self.transform(img)
        return img, label


class GAN(L.LightningModule):
    def __init__(self, z_dim: int = 32, ch: int = 16, num_classes: int = 4, g_lr: float = 2e-4, d_lr: float = 4e-4,
                 loss: str = "hinge", n_critic: int = 2, r1_gamma: float = 1.0, r1_every: int = 4,
                 ema_decay: float = 0.99):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.generator = Generator(z_dim, ch, num_classes)
        self.discriminator = Discriminator(ch, num_classes)
        self.generator_ema = copy.deepcopy(self.generator).requires_grad_(False)
        self.features = RandomFeatures()
        self.fid = FIDMeter()
        self.d_loss_fn, self.g_loss_fn = LOSSES[loss]
        self.register_buffer("fixed_z", torch.randn(16, z_dim))
        self.register_buffer("fixed_y", torch.arange(16) % num_classes)
        self.step_count = 0

    def forward(self, z, y):
        return self.generator_ema(z, y)

    def sample_z(self, n):
        return torch.randn(n, self.hparams.z_dim).type_as(self.fixed_z)

    @torch.no_grad()
    def update_ema(self):
        d = self.hparams.ema_decay
        for p_ema, p in zip(self.generator_ema.parameters(), self.generator.parameters()):
            p_ema.lerp_(p, 1 - d)
        for b_ema, b in zip(self.generator_ema.buffers(), self.generator.buffers()):
            b_ema.copy_(b)

    def training_step(self, batch, batch_idx):
        real, y = batch
        opt_g, opt_d = self.optimizers()
        self.step_count += 1

        # ---- discriminator
        self.toggle_optimizer(opt_d)
        fake = self.generator(self.sample_z(real.size(0)), y).detach()
        real_logits = self.discriminator(real, y)
        fake_logits = self.discriminator(fake, y)
        d_loss = self.d_loss_fn(real_logits, fake_logits)
        if self.hparams.r1_gamma > 0 and self.step_count % self.hparams.r1_every == 0:
            r1 = r1_penalty(self.discriminator, real, y)
            self.log("r1", r1)
            d_loss = d_loss + 0.5 * self.hparams.r1_gamma * self.hparams.r1_every * r1
        opt_d.zero_grad()
        self.manual_backward(d_loss)
        self.clip_gradients(opt_d, gradient_clip_val=10.0, gradient_clip_algorithm="norm")
        opt_d.step()
        self.untoggle_optimizer(opt_d)
        self.log("d_loss", d_loss, prog_bar=True)
        self.log("d_acc", ((real_logits > 0).float().mean() + (fake_logits < 0).float().mean()) / 2)

        # ---- generator
        if self.step_count % self.hparams.n_critic == 0:
            self.toggle_optimizer(opt_g)
            g_loss = self.g_loss_fn(self.discriminator(self.generator(self.sample_z(real.size(0)), y), y))
            opt_g.zero_grad()
            self.manual_backward(g_loss)
            opt_g.step()
            self.untoggle_optimizer(opt_g)
            self.update_ema()
            self.log("g_loss", g_loss, prog_bar=True)
            if math.isnan(g_loss.item()):
                self.print("nan in the generator, stopping")
                self.trainer.should_stop = True

    def on_train_epoch_end(self):
        for sched in self.lr_schedulers():
            sched.step()

    def validation_step(self, batch, batch_idx):
        real, y = batch
        fake = self(self.sample_z(real.size(0)), y)
        self.fid.update(self.features(real), "real")
        self.fid.update(self.features(fake), "fake")

    def on_validation_epoch_end(self):
        self.log("fid", self.fid.compute(), prog_bar=True)
        self.fid.reset()

    def configure_optimizers(self):
        hp = self.hparams
        opt_g = torch.optim.Adam(self.generator.parameters(), lr=hp.g_lr, betas=(0.0, 0.99))
        opt_d = torch.optim.Adam(self.discriminator.parameters(), lr=hp.d_lr, betas=(0.0, 0.99))
        scheds = [torch.optim.lr_scheduler.ExponentialLR(o, 0.97) for o in (opt_g, opt_d)]
        return [opt_g, opt_d], scheds


class SampleGrid(Callback):
    def __init__(self, outdir, every_n_epochs=1):
        self.outdir = Path(outdir)
        self.outdir.mkdir(parents=True, exist_ok=True)
        self.every = every_n_epochs

    def on_train_epoch_end(self, trainer, pl_module):
        if (trainer.current_epoch + 1) % self.every == 0:
            pl_module.eval()
            with torch.no_grad():
                imgs = pl_module(pl_module.fixed_z, pl_module.fixed_y)
            pl_module.train()
            grid = torchvision.utils.make_grid(imgs.cpu(), nrow=4, normalize=True, value_range=(-1, 1))
            torchvision.utils.save_image(grid, self.outdir / f"epoch_{trainer.current_epoch:03d}.png")


class PrintLosses(Callback):
    def __init__(self, every=6):
        self.every = every

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if batch_idx % self.every == 0:
            m = {k: f"{v.item():.3f}" for k, v in trainer.logged_metrics.items()}
            pl_module.print(f"[{trainer.current_epoch}/{batch_idx}] {m}")


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("--max_epochs", type=int, default=3)
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--loss", default="hinge", choices=list(LOSSES))
    parser.add_argument("--out", default="out/gan")
    args = parser.parse_args()

    L.seed_everything(1234)
    tf = torchvision.transforms.RandomHorizontalFlip()
    train_dl = DataLoader(ShapesDataset(transform=tf), args.batch_size, shuffle=True, drop_last=True)
    val_dl = DataLoader(ShapesDataset(128), args.batch_size)
    model = GAN(loss=args.loss)
    trainer = L.Trainer(
        max_epochs=args.max_epochs, accelerator="auto", devices=1, default_root_dir=args.out,
        callbacks=[SampleGrid(Path(args.out) / "samples"), PrintLosses(),
                   ModelCheckpoint(Path(args.out) / "ckpt", monitor="fid", mode="min", save_last=True)],
        log_every_n_steps=4, logger=False, enable_progress_bar=False, num_sanity_val_steps=0)
    trainer.fit(model, train_dl, val_dl)
    print("best fid", trainer.checkpoint_callback.best_model_score.item())
