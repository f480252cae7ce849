import math
import os
import time

import numpy as np
import torch
from torch.utils.data import DataLoader
from tqdm import tqdm

from config import CFG, device, seed_everything
from dataset import NUM_COLS, Preprocessor, TabDataset, make_frame, stratified_folds
from model import FTTransformer
from utils import FocalLoss, ModelEMA, average_precision, best_f1, roc_auc


def to_device(batch):
    return {k: v.to(device, non_blocking=True) for k, v in batch.items()}


def get_scheduler(opt, total_steps):
    warm = int(CFG.warmup_ratio * total_steps)

    def fn(step):
        if step < warm:
            return (step + 1) / max(warm, 1)
        t = (step - warm) / max(total_steps - warm, 1)
        return 0.5 * (1 + math.cos(math.pi * min(t, 1.0)))

    return torch.optim.lr_scheduler.LambdaLR(opt, fn)


def train_fn(loader, model, ema, criterion, opt, sched, scaler, epoch):
    model.train()
    losses = []
    pbar = tqdm(loader, desc=f"ep{epoch}", leave=False, mininterval=0.5)
    for batch in pbar:
        batch = to_device(batch)
        y = batch.pop("y")
        with torch.autocast(device.type, dtype=torch.float16, enabled=scaler.is_enabled()):
            logits = model(**batch)
            loss = criterion(logits, y)
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
        scaler.step(opt)
        scaler.update()
        sched.step()
        ema.update(model)
        losses.append(loss.item())
        pbar.set_postfix(loss=f"{np.mean(losses[-20:]):.4f}", lr=f"{sched.get_last_lr()[-1]:.1e}")
    return np.mean(losses)


@torch.no_grad()
def valid_fn(loader, model):
    model.eval()
    preds = []
    for batch in loader:
        batch = to_device(batch)
        batch.pop("y", None)
        preds.append(torch.sigmoid(model(**batch).float()).cpu())
    return torch.cat(preds).numpy()


def train_fold(fold, df, folds):
    print(f"========== fold {fold} ==========")
    y = df[CFG.target]
    trn_idx, val_idx = np.where(folds != fold)[0], np.where(folds == fold)[0]
    pre = Preprocessor().fit(df, trn_idx)
    trn_ds = TabDataset(*pre.transform(df, trn_idx), y[trn_idx])
    val_ds = TabDataset(*pre.transform(df, val_idx), y[val_idx])
    trn_loader = DataLoader(trn_ds, CFG.batch_size, shuffle=True, drop_last=True, pin_memory=device.type == "cuda")
    val_loader = DataLoader(val_ds, CFG.valid_batch_size, shuffle=False)

    model = FTTransformer(pre.cardinalities, len(NUM_COLS), CFG).to(device)
    ema = ModelEMA(model, CFG.ema_decay)
    opt = torch.optim.AdamW(model.param_groups(CFG.lr, CFG.emb_lr_mult, CFG.weight_decay))
    sched = get_scheduler(opt, CFG.epochs * len(trn_loader))
    scaler = torch.amp.GradScaler("cuda", enabled=CFG.use_amp and device.type == "cuda")
    criterion = FocalLoss(CFG.gamma, CFG.alpha, CFG.label_smoothing)

    path = os.path.join(CFG.out_dir, f"{CFG.exp}_fold{fold}.pth")
    best, bad = -1.0, 0
    for epoch in range(CFG.epochs):
        t0 = time.time()
        loss = train_fn(trn_loader, model, ema, criterion, opt, sched, scaler, epoch)
        p, p_ema = valid_fn(val_loader, model), valid_fn(val_loader, ema.module)
        auc, auc_ema = roc_auc(y[val_idx], p), roc_auc(y[val_idx], p_ema)
        print(f"epoch {epoch} loss {loss:.5f} auc {auc:.4f} auc_ema {auc_ema:.4f} [{time.time() - t0:.1f}s]")
        score, pred = max((auc, 0), (auc_ema, 1))
        if score > best:
            best, bad = score, 0
            src = ema.module if pred else model
            torch.save({"model": src.state_dict(), "auc": score, "epoch": epoch}, path)
        else:
            bad += 1
            if bad >= CFG.patience:
                print("early stopping")
                break

    ckpt = torch.load(path, map_location=device)
    model.load_state_dict(ckpt["model"])
    return val_idx, valid_fn(val_loader, model), ckpt["auc"]


def main():
    seed_everything(CFG.seed)
    os.makedirs(CFG.out_dir, exist_ok=True)
    df = make_frame(CFG.n_rows, seed=CFG.seed)
    y = df[CFG.target]
    print(f"rows {len(y)}  positives {y.mean():.3%}  device {device}")
    folds = stratified_folds(y, CFG.n_folds, CFG.seed)

    oof = np.full(len(y), np.nan)
    scores = []
    for fold in CFG.trn_folds:
        val_idx, pred, auc = train_fold(fold, df, folds)
        oof[val_idx] = pred
        scores.append(auc)

    m = ~np.isnan(oof)
    f1, thr = best_f1(y[m], oof[m])
    result = dict(oof_auc=roc_auc(y[m], oof[m]), oof_ap=average_precision(y[m], oof[m]), f1=f1, thr=thr, folds=scores)
    print(result)
    np.save(os.path.join(CFG.out_dir, f"{CFG.exp}_oof.npy"), oof)


if __name__ == "__main__":
    main()
