import json
import logging
import os
import time

import torch
import torch.nn.functional as F

from .audio import BandMask, Remix, write_wav
from .stft_loss import MultiResolutionSTFTLoss
from .utils import LogProgress, bold, copy_state, pull_metric, swap_state

logger = logging.getLogger(__name__)


def sisdr(est, ref, eps=1e-8):
    est = est - est.mean(-1, keepdim=True)
    ref = ref - ref.mean(-1, keepdim=True)
    alpha = (est * ref).sum(-1, keepdim=True) / (ref.pow(2).sum(-1, keepdim=True) + eps)
    proj = alpha * ref
    return 10 * torch.log10(proj.pow(2).sum(-1) / ((est - proj).pow(2).sum(-1) + eps) + eps)


class Solver(object):
    def __init__(self, data, model, optimizer, args, out):
        self.tr_loader, self.cv_loader, self.tt_loader = data["tr_loader"], data["cv_loader"], data["tt_loader"]
        self.model, self.optimizer, self.args, self.out = model, optimizer, args, out
        augments = []
        if args.remix:
            augments.append(Remix())
        if args.bandmask:
            augments.append(BandMask(args.bandmask))
        self.augment = torch.nn.Sequential(*augments)
        self.device = args.device
        self.best_state = None
        self.history = []
        self.mrstftloss = MultiResolutionSTFTLoss(
            factor_sc=args.stft_sc_factor, factor_mag=args.stft_mag_factor).to(self.device)

    def _serialize(self):
        package = {"state": copy_state(self.model.state_dict()), "optimizer": self.optimizer.state_dict(),
                   "history": self.history, "best_state": self.best_state}
        tmp_path = os.path.join(self.out, self.args.checkpoint_file + ".tmp")
        torch.save(package, tmp_path)
        # renaming is sort of atomic on UNIX
        os.rename(tmp_path, os.path.join(self.out, self.args.checkpoint_file))
        torch.save(self.best_state, os.path.join(self.out, self.args.best_file))

    def train(self):
        for epoch in range(len(self.history), self.args.epochs):
            self.model.train()
            start = time.time()
            logger.info("-" * 70)
            logger.info("Training...")
            train_loss = self._run_one_epoch(epoch)
            logger.info(bold(f"Train Summary | End of Epoch {epoch + 1} | Time {time.time() - start:.2f}s | "
                             f"Train Loss {train_loss:.5f}"))
            logger.info("Cross validation...")
            self.model.eval()
            with torch.no_grad():
                valid_loss = self._run_one_epoch(epoch, cross_valid=True)
            best_loss = min(pull_metric(self.history, "valid") + [valid_loss])
            metrics = {"train": train_loss, "valid": valid_loss, "best": best_loss}
            # Save the best model
            if valid_loss == best_loss:
                logger.info(bold("New best valid loss %.4f"), valid_loss)
                self.best_state = copy_state(self.model.state_dict())
            # evaluate and enhance samples every 'eval_every' argument number of epochs
            if (epoch + 1) % self.args.eval_every == 0 or epoch == self.args.epochs - 1:
                with swap_state(self.model, self.best_state):
                    metrics.update(self.evaluate(enhance=epoch == self.args.epochs - 1))
            self.history.append(metrics)
            info = " | ".join(f"{k.capitalize()} {v:.5f}" for k, v in metrics.items())
            logger.info(bold(f"Overall Summary | Epoch {epoch + 1} | {info}"))
            with open(os.path.join(self.out, self.args.history_file), "w") as f:
                json.dump(self.history, f, indent=2)
            if self.args.checkpoint:
                self._serialize()

    def _run_one_epoch(self, epoch, cross_valid=False):
        total_loss = 0
        data_loader = self.tr_loader if not cross_valid else self.cv_loader
        label = ["Train", "Valid"][cross_valid]
        name = label + f" | Epoch {epoch + 1}"
        logprog = LogProgress(logger, data_loader, updates=self.args.num_prints, name=name)
        for i, data in enumerate(logprog):
            noisy, clean = [x.to(self.device) for x in data]
            if not cross_valid:
                sources = torch.stack([noisy - clean, clean])
                sources = self.augment(sources)
                noise, clean = sources
                noisy = noise + clean
            estimate = self.model(noisy)
            # apply a loss function after each layer
            if self.args.loss == "l1":
                loss = F.l1_loss(clean, estimate)
            elif self.args.loss == "l2":
                loss = F.mse_loss(clean, estimate)
            else:
                raise ValueError(f"Invalid loss {self.args.loss}")
            # MultiResolution STFT loss
            if self.args.stft_loss:
                sc_loss, mag_loss = self.mrstftloss(estimate.squeeze(1), clean.squeeze(1))
                loss += sc_loss + mag_loss
            # optimize model in training mode
            if not cross_valid:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            total_loss += loss.item()
            logprog.update(loss=format(total_loss / (i + 1), ".5f"))
            # Just in case, clear some memory
            del loss, estimate
        return total_loss / (i + 1)

    def evaluate(self, enhance=False):
        self.model.eval()
        total, total_in, cnt = 0., 0., 0
        with torch.no_grad():
            for i, (noisy, clean) in enumerate(self.tt_loader):
                noisy, clean = noisy.to(self.device), clean.to(self.device)
                estimate = self.model(noisy)
                total += sisdr(estimate[:, 0], clean[:, 0]).sum().item()
                total_in += sisdr(noisy[:, 0], clean[:, 0]).sum().item()
                cnt += clean.shape[0]
                if enhance:
                    est = estimate / max(estimate.abs().max().item(), 1)
                    write_wav(os.path.join(self.out, f"enhanced_{i}.wav"), est[0, 0].cpu().numpy(),
                              self.args.sample_rate)
        return {"sisdr": total / cnt, "sisdr_in": total_in / cnt}
