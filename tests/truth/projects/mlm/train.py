import json
import logging
import os
import time
from dataclasses import asdict

import numpy as np
import torch
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler

from configs import parse_config
from data import PretrainingDataset
from modeling import BertForPreTraining

logging.basicConfig(format='%(asctime)s - %(levelname)s - %(name)s -   %(message)s',
                    datefmt='%m/%d/%Y %H:%M:%S', level=logging.INFO)
logger = logging.getLogger(__name__)


def get_linear_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps):
    def lr_lambda(current_step):
        if current_step < num_warmup_steps:
            return float(current_step) / float(max(1, num_warmup_steps))
        return max(0.0, float(num_training_steps - current_step) / float(max(1, num_training_steps - num_warmup_steps)))
    return LambdaLR(optimizer, lr_lambda)


def build_optimizer(model, cfg):
    no_decay = ['bias', 'LayerNorm.weight', 'ln1.weight', 'ln2.weight']
    param_optimizer = list(model.named_parameters())
    groups = [
        {'params': [p for n, p in param_optimizer if not any(nd in n for nd in no_decay)], 'weight_decay': cfg.weight_decay},
        {'params': [p for n, p in param_optimizer if any(nd in n for nd in no_decay)], 'weight_decay': 0.0},
    ]
    return torch.optim.AdamW(groups, lr=cfg.learning_rate, eps=1e-6)


class Pretrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.use_amp = cfg.fp16 and self.device.type == "cuda"
        torch.manual_seed(cfg.seed)
        np.random.seed(cfg.seed)

        self.model = BertForPreTraining(cfg.model, checkpoint_activations=True).to(self.device)
        self.optimizer = build_optimizer(self.model, cfg)
        self.scheduler = get_linear_schedule_with_warmup(self.optimizer, int(cfg.max_steps * cfg.warmup_proportion), cfg.max_steps)
        self.scaler = torch.cuda.amp.GradScaler(enabled=self.use_amp)
        self.global_step = 0

        train_data = PretrainingDataset(cfg.num_train_examples, cfg, seed=1)
        eval_data = PretrainingDataset(64, cfg, seed=2)
        self.train_dataloader = DataLoader(train_data, sampler=RandomSampler(train_data),
                                           batch_size=cfg.train_batch_size, num_workers=2, pin_memory=True, drop_last=True)
        self.eval_dataloader = DataLoader(eval_data, sampler=SequentialSampler(eval_data), batch_size=cfg.eval_batch_size)
        if cfg.resume_from:
            self.load(cfg.resume_from)

    def save(self, final=False):
        name = "final" if final else f"ckpt_{self.global_step}"
        path = os.path.join(self.cfg.output_dir, name + ".pt")
        model_to_save = self.model.module if hasattr(self.model, 'module') else self.model
        torch.save({'model': model_to_save.state_dict(),
                    'optimizer': self.optimizer.state_dict(),
                    'scheduler': self.scheduler.state_dict(),
                    'scaler': self.scaler.state_dict(),
                    'step': self.global_step}, path)
        logger.info("Saved %s", path)
        ckpts = sorted((f for f in os.listdir(self.cfg.output_dir) if f.startswith("ckpt_")),
                       key=lambda f: int(f[5:-3]))
        for f in ckpts[:-2]:
            os.remove(os.path.join(self.cfg.output_dir, f))

    def load(self, path):
        ck = torch.load(path, map_location="cpu")
        self.model.load_state_dict(ck['model'])
        self.optimizer.load_state_dict(ck['optimizer'])
        self.scheduler.load_state_dict(ck['scheduler'])
        self.scaler.load_state_dict(ck['scaler'])
        self.global_step = ck['step']

    def evaluate(self):
        self.model.eval()
        tot_mlm, tot_nsp, correct, count, nb = 0., 0., 0., 0, 0
        for batch in self.eval_dataloader:
            batch = tuple(t.to(self.device) for t in batch)
            with torch.no_grad():
                _, mlm_loss, nsp_loss, (c, n) = self.model(*batch)
            tot_mlm += mlm_loss.mean().item()
            tot_nsp += nsp_loss.mean().item()
            correct += c.item()
            count += n
            nb += 1
        self.model.train()
        return {'eval_mlm_loss': tot_mlm / nb, 'eval_nsp_loss': tot_nsp / nb,
                'eval_mlm_acc': correct / count, 'perplexity': float(np.exp(tot_mlm / nb))}

    def train(self):
        cfg = self.cfg
        logger.info("***** Running training *****")
        logger.info("  Num examples = %d", len(self.train_dataloader.dataset))
        logger.info("  Effective batch size = %d", cfg.train_batch_size * cfg.gradient_accumulation_steps)
        logger.info("  Num steps = %d", cfg.max_steps)
        history = open(os.path.join(cfg.output_dir, "log.jsonl"), "a")
        self.model.train()
        average_loss, training_steps, epoch = 0.0, 0, 0
        raw_train_start = time.time()
        while True:
            for step, batch in enumerate(self.train_dataloader):
                training_steps += 1
                batch = tuple(t.to(self.device, non_blocking=True) for t in batch)
                with torch.cuda.amp.autocast(enabled=self.use_amp):
                    loss, mlm_loss, nsp_loss, _ = self.model(*batch)
                if cfg.gradient_accumulation_steps > 1:
                    loss = loss / cfg.gradient_accumulation_steps
                self.scaler.scale(loss).backward()
                average_loss += loss.item()

                if training_steps % cfg.gradient_accumulation_steps == 0:
                    self.scaler.unscale_(self.optimizer)
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), cfg.max_grad_norm)
                    scale_before = self.scaler.get_scale()
                    self.scaler.step(self.optimizer)
                    self.scaler.update()
                    if self.scaler.get_scale() >= scale_before:
                        self.scheduler.step()
                    self.optimizer.zero_grad()
                    self.global_step += 1

                    if self.global_step % cfg.log_freq == 0:
                        record = {"step": self.global_step, "epoch": epoch, "avg_loss": average_loss / cfg.log_freq,
                                  "mlm_loss": mlm_loss.item(), "nsp_loss": nsp_loss.item(),
                                  "lr": self.scheduler.get_last_lr()[0]}
                        history.write(json.dumps(record) + "\n")
                        history.flush()
                        logger.info(" ".join(f"{k}={v:.5g}" for k, v in record.items()))
                        average_loss = 0
                    if self.global_step % cfg.eval_freq == 0:
                        logger.info("eval: %s", self.evaluate())
                    if self.global_step % cfg.save_freq == 0:
                        self.save()
                    if self.global_step >= cfg.max_steps:
                        if torch.cuda.is_available():
                            torch.cuda.synchronize()
                        train_time = time.time() - raw_train_start
                        seqs = cfg.max_steps * cfg.train_batch_size * cfg.gradient_accumulation_steps
                        logger.info("training_sequences_per_second: %.1f", seqs / train_time)
                        self.save(final=True)
                        history.close()
                        return
            epoch += 1


if __name__ == "__main__":
    cfg = parse_config()
    os.makedirs(cfg.output_dir, exist_ok=True)
    with open(os.path.join(cfg.output_dir, "config.json"), "w") as f:
        json.dump(asdict(cfg), f, indent=1)
    trainer = Pretrainer(cfg)
    trainer.train()
    logger.info("final: %s", trainer.evaluate())
