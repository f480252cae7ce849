"""HiFi-GAN like vocoder: generator, period discriminators, mel loss on the GPU, DDP, tensorboard."""
import argparse
import itertools
import json
import os
import time

import torch
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F
from librosa.filters import mel as librosa_mel_fn
from torch.distributed import init_process_group
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler
from torch.utils.tensorboard import SummaryWriter

torch.backends.cudnn.benchmark = True
mel_basis = {}
hann_window = {}


class AttrDict(dict):
    def __init__(self, *args, **kwargs):
        super(AttrDict, self).__init__(*args, **kwargs)
        self.__dict__ = self


def dynamic_range_compression_torch(x, C=1, clip_val=1e-5):
    return torch.log(torch.clamp(x, min=clip_val) * C)


def mel_spectrogram(y, n_fft, num_mels, sampling_rate, hop_size, win_size, fmin, fmax, center=False):
    if torch.min(y) < -1.0:  # sync: tensor-truth
        print("min value is ", torch.min(y))  # sync: print-tensor
    if torch.max(y) > 1.0:  # sync: tensor-truth
        print("max value is ", torch.max(y))  # sync: print-tensor
    global mel_basis, hann_window
    if fmax not in mel_basis:
        mel = librosa_mel_fn(sr=sampling_rate, n_fft=n_fft, n_mels=num_mels, fmin=fmin, fmax=fmax)
        mel_basis[str(fmax) + "_" + str(y.device)] = torch.from_numpy(mel).float().to(y.device)  # sync: copy-to-device
        hann_window[str(y.device)] = torch.hann_window(win_size).to(y.device)  # sync: copy-to-device
    y = F.pad(y.unsqueeze(1), (int((n_fft - hop_size) / 2), int((n_fft - hop_size) / 2)), mode="reflect").squeeze(1)
    spec = torch.stft(y, n_fft, hop_length=hop_size, win_length=win_size, window=hann_window[str(y.device)], center=center, return_complex=True)
    spec = torch.sqrt(spec.abs().pow(2) + 1e-9)
    return dynamic_range_compression_torch(torch.matmul(mel_basis[str(fmax) + "_" + str(y.device)], spec))


class Generator(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.conv_pre = nn.Conv1d(80, 512, 7, 1, padding=3)
        self.ups = nn.ModuleList([nn.ConvTranspose1d(512 // 2**i, 512 // 2 ** (i + 1), k, u, padding=(k - u) // 2)
                                  for i, (u, k) in enumerate(zip(h.upsample_rates, h.upsample_kernel_sizes))])
        self.conv_post = nn.Conv1d(512 // 2 ** len(self.ups), 1, 7, 1, padding=3)

    def forward(self, x):
        x = self.conv_pre(x)
        for up in self.ups:
            x = up(F.leaky_relu(x, 0.1))
        return torch.tanh(self.conv_post(F.leaky_relu(x)))


class DiscriminatorP(nn.Module):
    def __init__(self, period):
        super().__init__()
        self.period = period
        self.convs = nn.ModuleList([nn.Conv2d(1, 32, (5, 1), (3, 1)), nn.Conv2d(32, 128, (5, 1), (3, 1))])
        self.conv_post = nn.Conv2d(128, 1, (3, 1), 1)

    def forward(self, x):
        fmap = []
        b, c, t = x.shape
        if t % self.period != 0:
            n_pad = self.period - (t % self.period)
            x = F.pad(x, (0, n_pad), "reflect")
            t = t + n_pad
        x = x.view(b, c, t // self.period, self.period)
        for l in self.convs:
            x = F.leaky_relu(l(x), 0.1)
            fmap.append(x)
        x = self.conv_post(x)
        fmap.append(x)
        return torch.flatten(x, 1, -1), fmap


class MultiPeriodDiscriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.discriminators = nn.ModuleList([DiscriminatorP(p) for p in (2, 3, 5, 7, 11)])

    def forward(self, y, y_hat):
        y_d_rs, y_d_gs, fmap_rs, fmap_gs = [], [], [], []
        for d in self.discriminators:
            y_d_r, fmap_r = d(y)
            y_d_g, fmap_g = d(y_hat)
            y_d_rs.append(y_d_r)
            fmap_rs.append(fmap_r)
            y_d_gs.append(y_d_g)
            fmap_gs.append(fmap_g)
        return y_d_rs, y_d_gs, fmap_rs, fmap_gs


def feature_loss(fmap_r, fmap_g):
    loss = 0
    for dr, dg in zip(fmap_r, fmap_g):
        for rl, gl in zip(dr, dg):
            loss += torch.mean(torch.abs(rl - gl))
    return loss * 2


def discriminator_loss(disc_real_outputs, disc_generated_outputs):
    loss = 0
    r_losses = []
    g_losses = []
    for dr, dg in zip(disc_real_outputs, disc_generated_outputs):
        r_loss = torch.mean((1 - dr) ** 2)
        g_loss = torch.mean(dg**2)
        loss += r_loss + g_loss
        r_losses.append(r_loss.item())  # sync: host-read
        g_losses.append(g_loss.item())  # sync: host-read
    return loss, r_losses, g_losses


def generator_loss(disc_outputs):
    loss = 0
    gen_losses = []
    for dg in disc_outputs:
        l = torch.mean((1 - dg) ** 2)
        gen_losses.append(l)
        loss += l
    return loss, gen_losses


class MelDataset(Dataset):
    def __init__(self, files, segment_size):
        self.files, self.segment_size = files, segment_size

    def __getitem__(self, i):
        audio = torch.load(self.files[i])
        return torch.rand(80, 32), audio[: self.segment_size], self.files[i], torch.rand(80, 32)

    def __len__(self):
        return len(self.files)


def save_checkpoint(filepath, obj):
    print("Saving checkpoint to {}".format(filepath))
    torch.save(obj, filepath)  # sync: copy-to-host note
    print("Complete.")


def train(rank, a, h):
    if h.num_gpus > 1:
        init_process_group(backend=h.dist_config["dist_backend"], init_method=h.dist_config["dist_url"], world_size=h.num_gpus, rank=rank)
    torch.cuda.manual_seed(h.seed)
    device = torch.device("cuda:{:d}".format(rank))
    generator = Generator(h).to(device)
    mpd = MultiPeriodDiscriminator().to(device)
    steps = 0
    last_epoch = -1
    if h.num_gpus > 1:
        generator = DistributedDataParallel(generator, device_ids=[rank]).to(device)
        mpd = DistributedDataParallel(mpd, device_ids=[rank]).to(device)
    optim_g = torch.optim.AdamW(generator.parameters(), h.learning_rate)
    optim_d = torch.optim.AdamW(itertools.chain(mpd.parameters()), h.learning_rate)
    trainset = MelDataset(open(a.files).read().split(), h.segment_size)
    train_sampler = DistributedSampler(trainset) if h.num_gpus > 1 else None
    train_loader = DataLoader(trainset, num_workers=h.num_workers, shuffle=False, sampler=train_sampler, batch_size=h.batch_size, pin_memory=True, drop_last=True)
    if rank == 0:
        validation_loader = DataLoader(MelDataset(open(a.val).read().split(), h.segment_size), num_workers=1, shuffle=False, batch_size=1, pin_memory=True)
        sw = SummaryWriter(os.path.join(a.checkpoint_path, "logs"))
    generator.train()
    mpd.train()
    for epoch in range(max(0, last_epoch), a.training_epochs):
        if rank == 0:
            start = time.time()
            print("Epoch: {}".format(epoch + 1))
        if h.num_gpus > 1:
            train_sampler.set_epoch(epoch)
        for i, batch in enumerate(train_loader):
            if rank == 0:
                start_b = time.time()
            x, y, _, y_mel = batch
            x = torch.autograd.Variable(x.to(device, non_blocking=True))
            y = torch.autograd.Variable(y.to(device, non_blocking=True))
            y_mel = torch.autograd.Variable(y_mel.to(device, non_blocking=True))
            y = y.unsqueeze(1)
            y_g_hat = generator(x)
            y_g_hat_mel = mel_spectrogram(y_g_hat.squeeze(1), h.n_fft, h.num_mels, h.sampling_rate, h.hop_size, h.win_size, h.fmin, h.fmax_for_loss)
            optim_d.zero_grad()
            y_df_hat_r, y_df_hat_g, _, _ = mpd(y, y_g_hat.detach())
            loss_disc_f, losses_disc_f_r, losses_disc_f_g = discriminator_loss(y_df_hat_r, y_df_hat_g)
            loss_disc_f.backward()
            optim_d.step()
            optim_g.zero_grad()
            loss_mel = F.l1_loss(y_mel, y_g_hat_mel) * 45
            y_df_hat_r, y_df_hat_g, fmap_f_r, fmap_f_g = mpd(y, y_g_hat)
            loss_fm_f = feature_loss(fmap_f_r, fmap_f_g)
            loss_gen_f, losses_gen_f = generator_loss(y_df_hat_g)
            loss_gen_all = loss_gen_f + loss_fm_f + loss_mel
            loss_gen_all.backward()
            optim_g.step()
            if rank == 0:
                if steps % a.stdout_interval == 0:
                    with torch.no_grad():
                        mel_error = F.l1_loss(y_mel, y_g_hat_mel).item()  # sync: host-read note
                    print("Steps : {:d}, Gen Loss Total : {:4.3f}, Mel-Spec. Error : {:4.3f}, s/b : {:4.3f}".format(  # sync: host-read note
                        steps, loss_gen_all, mel_error, time.time() - start_b))
                if steps % a.checkpoint_interval == 0 and steps != 0:
                    checkpoint_path = "{}/g_{:08d}".format(a.checkpoint_path, steps)
                    save_checkpoint(checkpoint_path, {"generator": (generator.module if h.num_gpus > 1 else generator).state_dict()})
                if steps % a.summary_interval == 0:
                    sw.add_scalar("training/gen_loss_total", loss_gen_all, steps)  # sync: copy-to-host note
                    sw.add_scalar("training/mel_spec_error", mel_error, steps)
                if steps % a.validation_interval == 0:
                    generator.eval()
                    torch.cuda.empty_cache()  # sync: explicit-sync note
                    val_err_tot = 0
                    with torch.no_grad():
                        for j, batch in enumerate(validation_loader):
                            x, y, _, y_mel = batch
                            y_g_hat = generator(x.to(device))  # sync: copy-to-device
                            y_mel = torch.autograd.Variable(y_mel.to(device, non_blocking=True))
                            y_g_hat_mel = mel_spectrogram(y_g_hat.squeeze(1), h.n_fft, h.num_mels, h.sampling_rate, h.hop_size, h.win_size, h.fmin, h.fmax_for_loss)
                            val_err_tot += F.l1_loss(y_mel, y_g_hat_mel).item()  # sync: host-read
                            if j <= 4:
                                if steps == 0:
                                    sw.add_audio("gt/y_{}".format(j), y[0], steps, h.sampling_rate)
                                sw.add_audio("generated/y_hat_{}".format(j), y_g_hat[0], steps, h.sampling_rate)  # sync: copy-to-host
                                y_hat_spec = mel_spectrogram(y_g_hat.squeeze(1), h.n_fft, h.num_mels, h.sampling_rate, h.hop_size, h.win_size, h.fmin, h.fmax)
                                sw.add_figure("generated/y_hat_spec_{}".format(j), plot(y_hat_spec.squeeze(0).cpu().numpy()), steps)  # sync: copy-to-host
                        sw.add_scalar("validation/mel_spec_error", val_err_tot / (j + 1), steps)
                    generator.train()
            steps += 1
        if rank == 0:
            print("Time taken for epoch {} is {} sec\n".format(epoch + 1, int(time.time() - start)))


def plot(spectrogram):
    import matplotlib.pyplot as plt
    fig, ax = plt.subplots(figsize=(10, 2))
    ax.imshow(spectrogram, aspect="auto", origin="lower")
    return fig


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files")
    parser.add_argument("--val")
    parser.add_argument("--checkpoint_path", default="cp_hifigan")
    parser.add_argument("--config", default="config.json")
    parser.add_argument("--training_epochs", default=3100, type=int)
    parser.add_argument("--stdout_interval", default=5, type=int)
    parser.add_argument("--checkpoint_interval", default=5000, type=int)
    parser.add_argument("--summary_interval", default=100, type=int)
    parser.add_argument("--validation_interval", default=1000, type=int)
    a = parser.parse_args()
    h = AttrDict(json.loads(open(a.config).read()))
    if torch.cuda.is_available():
        torch.cuda.manual_seed(h.seed)
        h.num_gpus = torch.cuda.device_count()
        h.batch_size = int(h.batch_size / h.num_gpus)
    if h.num_gpus > 1:
        mp.spawn(train, nprocs=h.num_gpus, args=(a, h))
    else:
        train(0, a, h)


if __name__ == "__main__":
    main()
