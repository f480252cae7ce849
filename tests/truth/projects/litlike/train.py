import argparse
import os

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from lit import EarlyStopping, LRMonitor, ModelCheckpoint, Trainer
from vae import ConvVAE


def blobs_dataset(n=640, size=28, classes=5, seed=0):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    y = rng.integers(0, classes, n)
    cx = 6 + 4 * y + rng.normal(0, 1, n)
    cy = 14 + rng.normal(0, 4, n)
    x = np.exp(-((xx[None] - cx[:, None, None]) ** 2 + (yy[None] - cy[:, None, None]) ** 2) / 12)
    return TensorDataset(torch.from_numpy(x).float().unsqueeze(1), torch.from_numpy(y))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--max_epochs", type=int, default=4)
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--precision", default="bf16-mixed")
    parser.add_argument("--accumulate", type=int, default=2)
    parser.add_argument("--root", default="out/litlike")
    args = parser.parse_args()

    torch.manual_seed(7)
    ds = blobs_dataset()
    train_ds, val_ds = random_split(ds, [512, 128])
    train_loader = DataLoader(train_ds, args.batch_size, shuffle=True, pin_memory=torch.cuda.is_available())
    val_loader = DataLoader(val_ds, args.batch_size)

    ckpt = ModelCheckpoint(os.path.join(args.root, "ckpt"), monitor="val_loss", save_top_k=2)
    trainer = Trainer(max_epochs=args.max_epochs, precision=args.precision, accumulate_grad_batches=args.accumulate,
                      gradient_clip_val=5.0, log_every_n_steps=4, default_root_dir=args.root,
                      callbacks=[ckpt, LRMonitor(), EarlyStopping(patience=5)])
    model = ConvVAE()
    trainer.fit(model, train_loader, val_loader)

    best = torch.load(ckpt.best_model_path, map_location="cpu")
    model.load_state_dict(best["state_dict"])
    np.save(os.path.join(args.root, "samples.npy"), model.sample(16))
    print("best:", ckpt.best_model_path, ckpt.best_k[ckpt.best_model_path])
