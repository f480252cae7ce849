import argparse
import json
import logging
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from asr.datasets import CharTokenizer, Collate, ToneSpeech
from asr.metrics import ErrorRate
from asr.model import ASRModel
from asr.transducer import ctc_greedy, greedy_search, rnnt_loss


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--train-utts", type=int, default=480)
    parser.add_argument("--valid-utts", type=int, default=48)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--warmup", type=int, default=20)
    parser.add_argument("--ctc-weight", type=float, default=0.3)
    parser.add_argument("--accum-grad", type=int, default=1)
    parser.add_argument("--grad-clip", type=float, default=5.0)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--num-workers", type=int, default=2)
    parser.add_argument("--exp-dir", default="/tmp/asr_exp")
    parser.add_argument("--avg-last", type=int, default=2, help="checkpoints to average")
    parser.add_argument("--local_rank", type=int, default=int(os.environ.get("LOCAL_RANK", 0)))
    return parser.parse_args()


class WarmupLR(torch.optim.lr_scheduler.LRScheduler):
    def __init__(self, optimizer, warmup_steps):
        self.warmup_steps = warmup_steps
        super().__init__(optimizer)

    def get_lr(self):
        step = self.last_epoch + 1
        scale = self.warmup_steps ** 0.5 * min(step ** -0.5, step * self.warmup_steps ** -1.5)
        return [lr * scale for lr in self.base_lrs]


class Executor:
    def __init__(self, args, model, optimizer, scheduler, device):
        self.args, self.model, self.optimizer, self.scheduler = args, model, optimizer, scheduler
        self.device = device
        self.step = 0
        self.scaler = torch.amp.GradScaler("cuda", enabled=args.amp)

    def compute_loss(self, batch):
        x, xl, y, yl, _ = batch
        x, xl = x.to(self.device), xl.to(self.device)
        y, yl = y.to(self.device), yl.to(self.device)
        with torch.amp.autocast("cuda", enabled=self.args.amp):
            joint, ctc_lp, enc_lens = self.model(x, xl, y)
        loss_rnnt = rnnt_loss(joint, y, enc_lens, yl)
        loss_ctc = F.ctc_loss(ctc_lp.transpose(0, 1), y, enc_lens, yl, blank=0, zero_infinity=True)
        w = self.args.ctc_weight
        return w * loss_ctc + (1 - w) * loss_rnnt, loss_rnnt, loss_ctc

    def train(self, loader, epoch):
        self.model.train()
        for i, batch in enumerate(loader):
            loss, rnnt, ctc = self.compute_loss(batch)
            if not torch.isfinite(loss):
                logging.warning("batch %d: loss is %s, skipped", i, loss.item())
                self.optimizer.zero_grad()
                continue
            self.scaler.scale(loss / self.args.accum_grad).backward()
            if (i + 1) % self.args.accum_grad == 0:
                self.scaler.unscale_(self.optimizer)
                grad_norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.grad_clip)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
                self.scheduler.step()
                self.step += 1
                if self.step % 10 == 0:
                    logging.info("TRAIN epoch %d batch %d loss %.4f rnnt %.4f ctc %.4f lr %.6f gnorm %.3f", epoch, i,
                                 loss.item(), rnnt.item(), ctc.item(), self.scheduler.get_last_lr()[0], grad_norm)

    @torch.no_grad()
    def cv(self, loader, tokenizer, verbose=True):
        self.model.eval()
        net = self.model.module if isinstance(self.model, DDP) else self.model
        total, utts = 0.0, 0
        wer_t, wer_c, cer = ErrorRate(), ErrorRate(), ErrorRate(split=list)
        for batch in loader:
            x, xl, y, yl, texts = batch
            loss, _, _ = self.compute_loss(batch)
            total += loss.item() * len(texts)
            utts += len(texts)

            enc, enc_lens = net.encode(x.to(self.device), xl.to(self.device))
            hyps_t = greedy_search(net, enc, enc_lens)
            hyps_c = ctc_greedy(net.ctc(enc), enc_lens)
            for ref, ht, hc in zip(texts, hyps_t, hyps_c):
                wer_t.update(ref, tokenizer.decode(ht))
                wer_c.update(ref, tokenizer.decode(hc))
                cer.update(ref, tokenizer.decode(hc))
        if verbose:
            logging.info("ref: %s | rnnt: %s | ctc: %s", texts[0], tokenizer.decode(hyps_t[0]), tokenizer.decode(hyps_c[0]))
            logging.info("CV loss %.4f  WER rnnt %s  WER ctc %s  CER ctc %s", total / utts, wer_t, wer_c, cer)
        return total / utts, wer_c.compute()


def average_checkpoints(paths):
    avg = None
    for p in paths:
        state = torch.load(p, map_location="cpu")
        if avg is None:
            avg = state
        else:
            for k in avg:
                avg[k] += state[k]
    for k in avg:
        avg[k] = torch.true_divide(avg[k], len(paths)) if avg[k].is_floating_point() else avg[k] // len(paths)
    return avg


def main():
    args = get_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    torch.manual_seed(777)
    distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
    if distributed:
        dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    device = torch.device("cuda", args.local_rank)
    os.makedirs(args.exp_dir, exist_ok=True)

    tokenizer = CharTokenizer()
    train_set, cv_set = ToneSpeech(args.train_utts, seed=1), ToneSpeech(args.valid_utts, seed=2)
    sampler = DistributedSampler(train_set) if distributed else None
    train_loader = DataLoader(train_set, args.batch_size, shuffle=sampler is None, sampler=sampler, pin_memory=True,
                              collate_fn=Collate(True), num_workers=args.num_workers,
                              persistent_workers=args.num_workers > 0)
    cv_loader = DataLoader(cv_set, args.batch_size, collate_fn=Collate(False))

    model = ASRModel(len(tokenizer)).to(device)
    logging.info("the number of model params: %d", sum(p.numel() for p in model.parameters()))
    if distributed:
        model = DDP(model, device_ids=[args.local_rank], find_unused_parameters=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = WarmupLR(optimizer, args.warmup)
    executor = Executor(args, model, optimizer, scheduler, device)

    saved, infos = [], []
    for epoch in range(args.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        executor.train(train_loader, epoch)
        cv_loss, wer = executor.cv(cv_loader, tokenizer, verbose=args.local_rank == 0)
        if args.local_rank == 0:
            path = os.path.join(args.exp_dir, "%d.pt" % epoch)
            torch.save(model.state_dict(), path)
            saved.append(path)
            infos.append({"epoch": epoch, "cv_loss": cv_loss, "wer": wer, "lr": optimizer.param_groups[0]["lr"]})
            with open(os.path.join(args.exp_dir, "infos.json"), "w") as f:
                json.dump(infos, f, indent=1)

    if args.local_rank == 0:
        model.load_state_dict(average_checkpoints(saved[-args.avg_last:]))
        logging.info("average of the last %d", args.avg_last)
        executor.cv(cv_loader, tokenizer)


if __name__ == "__main__":
    main()
