# Carvana / TGS-style segmentation baseline
# fork of my kernel, cleaned up a bit. LB 0.8x
import gc
import os
import random
import time
import warnings
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler
from torch.utils.data import Dataset, DataLoader

try:
    from tqdm import tqdm
except ImportError:
    tqdm = lambda x, **kw: x

warnings.filterwarnings("ignore")


class CFG:
    seed          = 101
    debug         = False
    exp_name      = 'unet-baseline'
    backbone      = 'scratch'
    train_bs      = 8
    valid_bs      = 16
    img_size      = [64, 64]
    epochs        = 3
    lr            = 2e-3
    scheduler     = 'CosineAnnealingLR'
    min_lr        = 1e-6
    T_max         = 30
    wd            = 1e-6
    n_accumulate  = max(1, 16 // train_bs)
    n_fold        = 4
    folds         = [0]
    num_classes   = 3
    n_images      = 128
    out_dir       = './out'
    device        = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def set_seed(seed=42):
    np.random.seed(seed)
    random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    os.environ['PYTHONHASHSEED'] = str(seed)
    print('> SEEDING DONE')


def load_case(idx):
    """image (H,W,3) uint8 + mask (H,W,C) uint8"""
    rng = np.random.RandomState(idx)
    h, w = CFG.img_size
    yy, xx = np.mgrid[:h, :w]
    img = rng.randint(0, 60, (h, w, 3))
    msk = np.zeros((h, w, CFG.num_classes), dtype=np.uint8)
    for c in range(CFG.num_classes):
        if rng.rand() < 0.2:
            continue
        cy, cx, r = rng.randint(12, h - 12), rng.randint(12, w - 12), rng.randint(5, 12)
        blob = (yy - cy) ** 2 + (xx - cx) ** 2 < r ** 2
        msk[blob, c] = 1
        img[blob, c] += 150
    return np.clip(img, 0, 255).astype(np.uint8), msk


class BuildDataset(Dataset):
    def __init__(self, ids, train=True):
        self.ids = ids
        self.train = train

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, index):
        img, msk = load_case(self.ids[index])
        img = img.astype('float32')
        mx = np.max(img)
        if mx:
            img /= mx
        if self.train and random.random() < 0.5:
            img, msk = img[:, ::-1], msk[:, ::-1]
        if self.train and random.random() < 0.5:
            img, msk = img[::-1], msk[::-1]
        img = np.transpose(img, (2, 0, 1))
        msk = np.transpose(msk, (2, 0, 1))
        return torch.tensor(img.copy()), torch.tensor(msk.astype('float32').copy())


def prepare_loaders(fold):
    ids = np.arange(CFG.n_images)
    train_ids = ids[ids % CFG.n_fold != fold]
    valid_ids = ids[ids % CFG.n_fold == fold]
    if CFG.debug:
        train_ids = train_ids[:32]
        valid_ids = valid_ids[:16]
    train_loader = DataLoader(BuildDataset(train_ids), batch_size=CFG.train_bs,
                              num_workers=0, shuffle=True, pin_memory=True, drop_last=False)
    valid_loader = DataLoader(BuildDataset(valid_ids, train=False), batch_size=CFG.valid_bs,
                              num_workers=0, shuffle=False, pin_memory=True)
    return train_loader, valid_loader


# ------------------------------------------------------------------ model
def conv_block(i, o):
    return nn.Sequential(
        nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True),
        nn.Conv2d(o, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class SCSE(nn.Module):
    def __init__(self, ch, re=4):
        super().__init__()
        self.cSE = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(ch, ch // re, 1), nn.ReLU(inplace=True),
                                 nn.Conv2d(ch // re, ch, 1), nn.Sigmoid())
        self.sSE = nn.Sequential(nn.Conv2d(ch, 1, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.cSE(x) + x * self.sSE(x)


class UNet(nn.Module):
    def __init__(self, n_classes, ch=(16, 32, 64, 96)):
        super().__init__()
        self.enc = nn.ModuleList()
        prev = 3
        for c in ch:
            self.enc.append(conv_block(prev, c))
            prev = c
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ModuleList()
        self.dec = nn.ModuleList()
        for c in ch[::-1][1:]:
            self.up.append(nn.ConvTranspose2d(prev, c, 2, stride=2))
            self.dec.append(nn.Sequential(conv_block(2 * c, c), SCSE(c)))
            prev = c
        self.head = nn.Conv2d(prev, n_classes, 1)

    def forward(self, x):
        skips = []
        for i, e in enumerate(self.enc):
            x = e(x)
            if i < len(self.enc) - 1:
                skips.append(x)
                x = self.pool(x)
        for u, d, s in zip(self.up, self.dec, skips[::-1]):
            x = d(torch.cat([u(x), s], dim=1))
        return self.head(x)


def build_model():
    model = UNet(CFG.num_classes)
    model.to(CFG.device)
    return model


# ------------------------------------------------------------------ losses / metrics
class DiceLoss(nn.Module):
    def __init__(self, smooth=1.):
        super().__init__()
        self.smooth = smooth

    def forward(self, y_pred, y_true):
        y_pred = y_pred.sigmoid().view(-1)
        y_true = y_true.view(-1)
        inter = (y_pred * y_true).sum()
        return 1 - (2. * inter + self.smooth) / (y_pred.sum() + y_true.sum() + self.smooth)


BCELoss = nn.BCEWithLogitsLoss()
Dice = DiceLoss()


def dice_coef(y_true, y_pred, thr=0.5, dim=(2, 3), epsilon=0.001):
    y_true = y_true.to(torch.float32)
    y_pred = (y_pred > thr).to(torch.float32)
    inter = (y_true * y_pred).sum(dim=dim)
    den = y_true.sum(dim=dim) + y_pred.sum(dim=dim)
    dice = ((2 * inter + epsilon) / (den + epsilon)).mean(dim=(1, 0))
    return dice


def iou_coef(y_true, y_pred, thr=0.5, dim=(2, 3), epsilon=0.001):
    y_true = y_true.to(torch.float32)
    y_pred = (y_pred > thr).to(torch.float32)
    inter = (y_true * y_pred).sum(dim=dim)
    union = (y_true + y_pred - y_true * y_pred).sum(dim=dim)
    iou = ((inter + epsilon) / (union + epsilon)).mean(dim=(1, 0))
    return iou


def criterion(y_pred, y_true):
    return 0.5 * BCELoss(y_pred, y_true) + 0.5 * Dice(y_pred, y_true)


# ------------------------------------------------------------------ train / valid
def train_one_epoch(model, optimizer, scheduler, dataloader, device, epoch):
    model.train()
    scaler = torch.cuda.amp.GradScaler()

    dataset_size = 0
    running_loss = 0.0

    pbar = tqdm(enumerate(dataloader), total=len(dataloader), desc='Train ')
    for step, (images, masks) in pbar:
        images = images.to(device, dtype=torch.float)
        masks = masks.to(device, dtype=torch.float)

        batch_size = images.size(0)

        with torch.cuda.amp.autocast(enabled=True):
            y_pred = model(images)
            loss = criterion(y_pred, masks)
            loss = loss / CFG.n_accumulate

        scaler.scale(loss).backward()

        if (step + 1) % CFG.n_accumulate == 0:
            scaler.step(optimizer)
            scaler.update()

            # zero the parameter gradients
            optimizer.zero_grad()

            if scheduler is not None:
                scheduler.step()

        running_loss += (loss.item() * batch_size)
        dataset_size += batch_size

        epoch_loss = running_loss / dataset_size

        mem = torch.cuda.memory_reserved() / 1E9 if torch.cuda.is_available() else 0
        current_lr = optimizer.param_groups[0]['lr']
        if hasattr(pbar, 'set_postfix'):
            pbar.set_postfix(train_loss=f'{epoch_loss:0.4f}',
                             lr=f'{current_lr:0.5f}',
                             gpu_mem=f'{mem:0.2f} GB')
    torch.cuda.empty_cache()
    gc.collect()

    return epoch_loss


@torch.no_grad()
def valid_one_epoch(model, dataloader, device, epoch):
    model.eval()

    dataset_size = 0
    running_loss = 0.0

    val_scores = []

    pbar = tqdm(enumerate(dataloader), total=len(dataloader), desc='Valid ')
    for step, (images, masks) in pbar:
        images = images.to(device, dtype=torch.float)
        masks = masks.to(device, dtype=torch.float)

        batch_size = images.size(0)

        y_pred = model(images)
        loss = criterion(y_pred, masks)

        running_loss += (loss.item() * batch_size)
        dataset_size += batch_size

        epoch_loss = running_loss / dataset_size

        y_pred = nn.Sigmoid()(y_pred)
        val_dice = dice_coef(masks, y_pred).cpu().detach().numpy()
        val_jaccard = iou_coef(masks, y_pred).cpu().detach().numpy()
        val_scores.append([val_dice, val_jaccard])

        if hasattr(pbar, 'set_postfix'):
            pbar.set_postfix(valid_loss=f'{epoch_loss:0.4f}', lr=f'{CFG.lr:0.5f}')
    val_scores = np.mean(val_scores, axis=0)
    torch.cuda.empty_cache()
    gc.collect()

    return epoch_loss, val_scores


def run_training(model, optimizer, scheduler, train_loader, valid_loader, device, num_epochs, fold):
    if torch.cuda.is_available():
        print("cuda: {}\n".format(torch.cuda.get_device_name()))

    start = time.time()
    best_dice = -np.inf
    best_epoch = -1
    history = defaultdict(list)

    for epoch in range(1, num_epochs + 1):
        gc.collect()
        print(f'Epoch {epoch}/{num_epochs}', end='')
        train_loss = train_one_epoch(model, optimizer, scheduler, train_loader, device, epoch)
        val_loss, val_scores = valid_one_epoch(model, valid_loader, device, epoch)
        val_dice, val_jaccard = val_scores

        history['Train Loss'].append(train_loss)
        history['Valid Loss'].append(val_loss)
        history['Valid Dice'].append(val_dice)
        history['Valid Jaccard'].append(val_jaccard)

        print(f'Valid Dice: {val_dice:0.4f} | Valid Jaccard: {val_jaccard:0.4f}')

        # deep copy the model
        if val_dice >= best_dice:
            print(f"Valid Score Improved ({best_dice:0.4f} ---> {val_dice:0.4f})")
            best_dice = val_dice
            best_epoch = epoch
            torch.save(model.state_dict(), os.path.join(CFG.out_dir, f"best_epoch-{fold:02d}.bin"))
            print("Model Saved")

        torch.save(model.state_dict(), os.path.join(CFG.out_dir, f"last_epoch-{fold:02d}.bin"))
        print(); print()

    time_elapsed = time.time() - start
    print('Training complete in {:.0f}h {:.0f}m {:.0f}s'.format(
        time_elapsed // 3600, (time_elapsed % 3600) // 60, (time_elapsed % 3600) % 60))
    print("Best Dice: {:.4f} (epoch {})".format(best_dice, best_epoch))
    return model, history


@torch.no_grad()
def infer(fold, loader, thr=0.5):
    model = build_model()
    model.load_state_dict(torch.load(os.path.join(CFG.out_dir, f"best_epoch-{fold:02d}.bin")))
    model.eval()
    areas = []
    for img, _ in tqdm(loader, total=len(loader), desc='Infer '):
        img = img.to(CFG.device)
        # tta: identity + hflip
        out = torch.sigmoid(model(img))
        out += torch.flip(torch.sigmoid(model(torch.flip(img, dims=(3,)))), dims=(3,))
        out = (out / 2 > thr).permute(0, 2, 3, 1).cpu().numpy()
        for j in range(len(out)):
            areas.append([int(out[j, ..., c].sum()) for c in range(CFG.num_classes)])
    print('mean mask area per class:', np.mean(areas, axis=0))


if __name__ == '__main__':
    set_seed(CFG.seed)
    os.makedirs(CFG.out_dir, exist_ok=True)
    for fold in CFG.folds:
        print('#' * 15)
        print(f'### Fold: {fold}')
        print('#' * 15)
        train_loader, valid_loader = prepare_loaders(fold=fold)
        model = build_model()
        optimizer = torch.optim.Adam(model.parameters(), lr=CFG.lr, weight_decay=CFG.wd)
        scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=CFG.T_max, eta_min=CFG.min_lr)
        model, history = run_training(model, optimizer, scheduler, train_loader, valid_loader,
                                      device=CFG.device, num_epochs=CFG.epochs, fold=fold)
        infer(fold, valid_loader)
