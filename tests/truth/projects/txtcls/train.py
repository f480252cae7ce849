import argparse
import json
import logging
import os
import random
import sys
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from dataset import NewsDataset, TOPICS, Vocab, collate, load_news
from models import TextTransformer
from utils.metrics import AverageMeter, classification_report, precision_recall_f1

try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError:
    SummaryWriter = None

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s | %(message)s")
logger = logging.getLogger("train")


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--weight-decay", type=float, default=0.01)
    p.add_argument("--label-smoothing", type=float, default=0.05)
    p.add_argument("--pooling", choices=["attn", "mean", "cls"], default="attn")
    p.add_argument("--class-weights", action="store_true")
    p.add_argument("--max-grad-norm", type=float, default=1.0)
    p.add_argument("--patience", type=int, default=3)
    p.add_argument("--log-every", type=int, default=5)
    p.add_argument("--num-workers", type=int, default=0)
    p.add_argument("--output-dir", default="./out")
    p.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    p.add_argument("--seed", type=int, default=42)
    return p.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)
        torch.backends.cudnn.deterministic = True


def to_device(batch, device):
    return {k: v.to(device) if torch.is_tensor(v) else v for k, v in batch.items()}


@torch.no_grad()
def predict(model, loader, device):
    model.eval()
    probs, labels, losses = [], [], []
    for batch in loader:
        batch = to_device(batch, device)
        logits = model(batch["input_ids"], batch["lengths"])
        losses.append(F.cross_entropy(logits, batch["labels"], reduction="none").cpu().numpy())
        probs.append(logits.softmax(-1).cpu().numpy())
        labels.append(batch["labels"].cpu().numpy())
    return np.concatenate(probs), np.concatenate(labels), np.concatenate(losses).mean()


def main():
    args = get_args()
    set_seed(args.seed)
    os.makedirs(args.output_dir, exist_ok=True)
    with open(os.path.join(args.output_dir, "args.json"), "w") as f:
        json.dump(vars(args), f, indent=2)

    device = torch.device(args.device)
    logger.info("device: %s", device)

    train_rows, dev_rows, test_rows = load_news(640, 0), load_news(160, 1), load_news(160, 2)
    vocab = Vocab([t for t, _ in train_rows])
    names = list(TOPICS)
    make_loader = partial(DataLoader, batch_size=args.batch_size, collate_fn=collate, num_workers=args.num_workers,
                          pin_memory=device.type == "cuda")
    train_loader = make_loader(NewsDataset(train_rows, vocab), shuffle=True, drop_last=True)
    dev_loader = make_loader(NewsDataset(dev_rows, vocab))
    test_loader = make_loader(NewsDataset(test_rows, vocab))

    weight = None
    if args.class_weights:
        counts = np.bincount([y for _, y in train_rows], minlength=len(names))
        weight = torch.tensor(counts.sum() / (len(names) * counts), dtype=torch.float, device=device)

    model = TextTransformer(len(vocab), len(names), pooling=args.pooling).to(device)
    logger.info("%s parameters", "{:,}".format(sum(p.numel() for p in model.parameters() if p.requires_grad)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr,
                                                    total_steps=args.epochs * len(train_loader), pct_start=0.1)
    writer = SummaryWriter(os.path.join(args.output_dir, "tb")) if SummaryWriter else None

    best_f1, bad_epochs, step = -1.0, 0, 0
    for epoch in range(args.epochs):
        model.train()
        loss_meter, acc_meter = AverageMeter("loss"), AverageMeter("acc")
        for batch in train_loader:
            batch = to_device(batch, device)
            optimizer.zero_grad()
            logits = model(batch["input_ids"], batch["lengths"])
            loss = F.cross_entropy(logits, batch["labels"], weight=weight, label_smoothing=args.label_smoothing)
            if not torch.isfinite(loss):
                logger.error("loss is %s, stopping", loss)
                sys.exit(1)
            loss.backward()
            grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
            optimizer.step()
            scheduler.step()
            step += 1

            bsz = batch["labels"].size(0)
            acc = (logits.argmax(-1) == batch["labels"]).float().mean()
            loss_meter.update(loss.item(), bsz)
            acc_meter.update(acc.item(), bsz)
            if step % args.log_every == 0:
                logger.info("epoch %d step %d loss %.4f (%.4f) acc %.3f gnorm %.2f lr %.2e", epoch, step,
                            loss_meter.val, loss_meter.avg, acc_meter.avg, grad_norm, scheduler.get_last_lr()[0])
                if writer:
                    writer.add_scalar("train/loss", loss_meter.val, step)
                    writer.add_scalar("train/grad_norm", grad_norm, step)

        probs, labels, dev_loss = predict(model, dev_loader, device)
        p, r, f1 = precision_recall_f1(labels, probs.argmax(1), len(names))
        logger.info("[dev] epoch %d loss %.4f P %.3f R %.3f macro-F1 %.3f", epoch, dev_loss, p, r, f1)
        if writer:
            writer.add_scalar("dev/f1", f1, epoch)
        if f1 > best_f1:
            best_f1, bad_epochs = f1, 0
            torch.save({"model": model.state_dict(), "vocab": vocab.itos, "epoch": epoch, "f1": float(f1)},
                       os.path.join(args.output_dir, "best.pt"))
        else:
            bad_epochs += 1
            if bad_epochs >= args.patience:
                logger.info("early stop")
                break

    state = torch.load(os.path.join(args.output_dir, "best.pt"), map_location=device)
    model.load_state_dict(state["model"])
    probs, labels, _ = predict(model, test_loader, device)
    preds = probs.argmax(1)
    logger.info("test accuracy %.3f\n%s", (preds == labels).mean(), classification_report(labels, preds, names))
    for i in np.argsort(-probs.max(1) * (preds != labels))[:3]:
        logger.info("confident mistake: %s -> %s : %s", names[labels[i]], names[preds[i]], test_rows[i][0][:60])


if __name__ == "__main__":
    main()
