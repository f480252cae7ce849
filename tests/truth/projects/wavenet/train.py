import argparse
import os
import time
import wave

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

import hparams as hp
from dataset import LJToyDataset, collate
from wavenet_model import WaveNet, mu_law_encode

try:
    from tensorboardX import SummaryWriter
except ImportError:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        class SummaryWriter:
            def __init__(self, *a, **k): pass
            def add_scalar(self, *a, **k): pass
            def add_histogram(self, *a, **k): pass


use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")


class ExponentialMovingAverage(object):
    def __init__(self, decay):
        self.decay = decay
        self.shadow = {}

    def register(self, name, val):
        self.shadow[name] = val.clone()

    def update(self, name, x):
        assert name in self.shadow
        update_delta = self.shadow[name] - x
        self.shadow[name] -= (1.0 - self.decay) * update_delta


def clone_as_averaged_model(model, ema):
    averaged_model = WaveNet(classes=hp.mu, cond=hp.n_mels).to(device)
    averaged_model.load_state_dict(model.state_dict())
    for name, param in averaged_model.named_parameters():
        if name in ema.shadow:
            param.data = ema.shadow[name].clone()
    return averaged_model


def save_wav(path, x):
    x = np.clip(x, -1, 1)
    with wave.open(path, 'wb') as f:
        f.setnchannels(1)
        f.setsampwidth(2)
        f.setframerate(hp.sample_rate)
        f.writeframes((x * 32767).astype('<i2').tobytes())


def noam_learning_rate_decay(init_lr, global_step, warmup_steps=10):
    warmup_steps = float(warmup_steps)
    step = global_step + 1.
    return init_lr * warmup_steps ** 0.5 * np.minimum(step * warmup_steps ** -1.5, step ** -0.5)


def save_checkpoint(model, optimizer, ema, step, checkpoint_dir, epoch):
    path = os.path.join(checkpoint_dir, "checkpoint_step{:09d}.pth".format(step))
    torch.save({"state_dict": model.state_dict(), "optimizer": optimizer.state_dict(),
                "global_step": step, "global_epoch": epoch, "ema": ema.shadow}, path)
    print("Saved checkpoint:", path)


def eval_model(model, ema, test_loader, step, out_dir):
    m = clone_as_averaged_model(model, ema)
    m.eval()
    losses = []
    criterion = nn.CrossEntropyLoss()
    with torch.no_grad():
        for mel, wav in test_loader:
            mel, wav = mel.to(device), wav.to(device)
            y = mu_law_encode(wav[:, 1:].cpu(), hp.mu).to(device)
            losses.append(criterion(m(wav[:, :-1].unsqueeze(1), mel), y).item())
        start = time.time()
        gen = m.generate(mel[:1, :, :hp.gen_frames], progress=50)
        n = gen.size(1)
    print('\n generated {} samples, {:.0f} samples/s'.format(n, n / (time.time() - start)))
    save_wav(os.path.join(out_dir, 'step{}_gen.wav'.format(step)), gen[0].cpu().numpy())
    save_wav(os.path.join(out_dir, 'step{}_target.wav'.format(step)), wav[0].cpu().numpy())
    return np.mean(losses)


def train_loop(model, train_loader, test_loader, optimizer, writer, ema, checkpoint_dir, total_steps):
    criterion = nn.CrossEntropyLoss()
    global_step, global_epoch = 0, 0
    start = time.time()
    while global_step < total_steps:
        running_loss = 0.
        for step, (mel, wav) in enumerate(train_loader):
            current_lr = noam_learning_rate_decay(hp.lr, global_step)
            for param_group in optimizer.param_groups:
                param_group['lr'] = current_lr

            y = mu_law_encode(wav[:, 1:], hp.mu)
            x = wav[:, :-1].unsqueeze(1)
            if use_cuda:
                mel, x, y = mel.cuda(), x.cuda(), y.cuda()

            model.train()
            y_hat = model(x, mel)
            loss = criterion(y_hat, y)
            optimizer.zero_grad()
            loss.backward()
            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), hp.grad_clip)
            optimizer.step()
            for name, param in model.named_parameters():
                if name in ema.shadow:
                    ema.update(name, param.data)

            global_step += 1
            running_loss += loss.item()
            avg_loss = running_loss / (step + 1)
            writer.add_scalar("loss", loss.item(), global_step)
            writer.add_scalar("gradient norm", grad_norm, global_step)
            writer.add_scalar("learning rate", current_lr, global_step)
            if global_step % hp.log_every == 0:
                speed = global_step / (time.time() - start)
                print('| Epoch: {} ({}/{}) | Loss: {:#.4} | {:#.2} steps/s | Step: {} | '.format(
                    global_epoch, step + 1, len(train_loader), avg_loss, speed, global_step))
            if global_step % hp.eval_every == 0:
                print('eval loss: {:.4f}'.format(eval_model(model, ema, test_loader, global_step, checkpoint_dir)))
            if global_step % hp.checkpoint_every == 0:
                save_checkpoint(model, optimizer, ema, global_step, checkpoint_dir, global_epoch)
            if global_step >= total_steps:
                break
        writer.add_scalar("loss (per epoch)", running_loss / len(train_loader), global_epoch)
        global_epoch += 1


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description='Train WaveNet vocoder')
    parser.add_argument('--checkpoint-dir', default='/tmp/wavenet_ckpt')
    parser.add_argument('--steps', type=int, default=hp.total_steps)
    parser.add_argument('--restore', default=None)
    args = parser.parse_args()
    os.makedirs(args.checkpoint_dir, exist_ok=True)

    train_loader = DataLoader(LJToyDataset(40), batch_size=hp.batch_size, shuffle=True, collate_fn=collate,
                              num_workers=1, pin_memory=use_cuda)
    test_loader = DataLoader(LJToyDataset(8, seed=1), batch_size=hp.batch_size, collate_fn=collate)

    model = WaveNet(classes=hp.mu, cond=hp.n_mels)
    if use_cuda:
        model = model.cuda()
    print('receptive field: %d samples' % model.receptive_field)
    optimizer = torch.optim.Adam(model.parameters(), lr=hp.lr)
    ema = ExponentialMovingAverage(hp.ema_decay)
    for name, param in model.named_parameters():
        if param.requires_grad:
            ema.register(name, param.data)
    if args.restore:
        ckpt = torch.load(args.restore, map_location=device)
        model.load_state_dict(ckpt['state_dict'])
        optimizer.load_state_dict(ckpt['optimizer'])
    writer = SummaryWriter(os.path.join(args.checkpoint_dir, 'log'))
    try:
        train_loop(model, train_loader, test_loader, optimizer, writer, ema, args.checkpoint_dir, args.steps)
    except KeyboardInterrupt:
        print('Interrupted!')
