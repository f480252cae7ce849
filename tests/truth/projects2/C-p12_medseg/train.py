import argparse
import logging
import os
import tempfile
import time

import numpy as np
import torch
from torch.utils.data import DataLoader

from data import VolumeDataset, prepare
from inference import dice_per_class, sliding_window
from net import DeepSupervision, DiceCELoss, UNet3D
from transforms import Compose, NormalizeIntensity, RandCropPosNeg, RandFlip, RandGamma

p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int, default=3)
p.add_argument("--roi", type=int, nargs=3, default=[32, 32, 32])
p.add_argument("--batch", type=int, default=4)
p.add_argument("--lr", type=float, default=0.01)
p.add_argument("--n_train", type=int, default=12)
p.add_argument("--n_val", type=int, default=4)
p.add_argument("--repeat", type=int, default=8)
p.add_argument("--seed", type=int, default=0)
args = p.parse_args()

N_CLASSES = 3
work = tempfile.mkdtemp(prefix="medseg_")
logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s",
                    handlers=[logging.FileHandler(os.path.join(work, "train.log")), logging.StreamHandler()])
log = logging.getLogger("medseg")


def poly_lr(opt, it, total, base):
    for g in opt.param_groups:
        g["lr"] = base * (1 - it / total) ** 0.9


def main():
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda")
    torch.backends.cudnn.benchmark = True
    files = prepare(work, args.n_train, args.n_val)
    train_ds = VolumeDataset(files["train"], Compose(
        [NormalizeIntensity(), RandCropPosNeg(args.roi), RandFlip(), RandGamma()]), repeat=args.repeat)
    val_ds = VolumeDataset(files["val"], NormalizeIntensity())
    train_dl = DataLoader(train_ds, args.batch, shuffle=True, num_workers=2, drop_last=True, pin_memory=True)
    val_dl = DataLoader(val_ds, 1)

    model = UNet3D(1, N_CLASSES).to(device)
    loss_fn = DeepSupervision(DiceCELoss(N_CLASSES, torch.tensor([0.5, 1.0, 2.0]))).to(device)
    opt = torch.optim.SGD(model.parameters(), args.lr, momentum=0.99, nesterov=True, weight_decay=3e-5)
    scaler = torch.amp.GradScaler("cuda")
    total, it = args.epochs * len(train_dl), 0
    best, ema_dice = -1.0, None
    for epoch in range(args.epochs):
        model.train()
        losses, t0 = [], time.time()
        for batch in train_dl:
            poly_lr(opt, it, total, args.lr)
            x = batch["image"].to(device, non_blocking=True)
            y = batch["label"].to(device, non_blocking=True)
            opt.zero_grad(set_to_none=True)
            with torch.autocast("cuda"):
                loss = loss_fn(model(x), y)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 12)
            scaler.step(opt)
            scaler.update()
            losses.append(loss.detach().cpu().numpy())
            it += 1
        log.info("epoch %d loss %.4f lr %.5f (%.1fs)", epoch, np.mean(losses), opt.param_groups[0]["lr"], time.time() - t0)

        model.eval()
        scores = []
        for k, batch in enumerate(val_dl):
            prob = sliding_window(model, batch["image"].to(device), args.roi, N_CLASSES,
                                  flip_tta=epoch == args.epochs - 1)
            pred = prob.argmax(0)
            d = dice_per_class(pred, batch["label"][0].to(device), N_CLASSES)
            scores.append(d)
            log.info("  case %d dice %s volume %d", k, np.round(d, 3), (pred > 0).sum().item())
        arr = np.array(scores, dtype=float)
        mean = np.array([c[~np.isnan(c)].mean() if (~np.isnan(c)).any() else 0.0 for c in arr.T])
        ema_dice = mean.mean() if ema_dice is None else 0.8 * ema_dice + 0.2 * mean.mean()
        log.info("epoch %d dice organ %.3f lesion %.3f ema %.3f", epoch, mean[0], mean[1], ema_dice)
        if mean.mean() > best:
            best = float(mean.mean())
            torch.save({"model": model.state_dict(), "epoch": epoch, "dice": best}, os.path.join(work, "best.pth"))
    ck = torch.load(os.path.join(work, "best.pth"), map_location="cpu")
    model.load_state_dict(ck["model"])
    log.info("best epoch %d dice %.3f, files in %s", ck["epoch"], ck["dice"], work)


if __name__ == "__main__":
    main()
