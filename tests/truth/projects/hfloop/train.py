#!/usr/bin/env python
"""Fine-tune a (tiny, randomly initialised) GPT-2 on arithmetic, no Trainer."""
import argparse
import json
import logging
import math
import os
import random
import time

import numpy as np
import torch
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel, get_scheduler

from data import VOCAB_SIZE, ArithmeticDataset, collate_eval, collate_train, decode
from generation import generate

try:
    from tqdm.auto import tqdm
except ImportError:
    def tqdm(x=None, **kw):
        return x

try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError:
    SummaryWriter = None

logger = logging.getLogger(__name__)


def parse_args():
    parser = argparse.ArgumentParser(description="Finetune a causal LM")
    parser.add_argument("--per_device_train_batch_size", type=int, default=32)
    parser.add_argument("--per_device_eval_batch_size", type=int, default=64)
    parser.add_argument("--learning_rate", type=float, default=3e-3)
    parser.add_argument("--weight_decay", type=float, default=0.01)
    parser.add_argument("--num_train_epochs", type=int, default=3)
    parser.add_argument("--max_train_steps", type=int, default=None)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--lr_scheduler_type", default="linear")
    parser.add_argument("--num_warmup_steps", type=int, default=5)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    parser.add_argument("--logging_steps", type=int, default=5)
    parser.add_argument("--checkpointing_steps", type=int, default=10)
    parser.add_argument("--output_dir", type=str, default="./out/hfloop")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def build_optimizer(args, model):
    no_decay = ["bias", "ln_1.weight", "ln_2.weight", "ln_f.weight"]
    grouped = [
        {"params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)],
         "weight_decay": args.weight_decay},
        {"params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(grouped, lr=args.learning_rate)


def evaluate_loss(args, model, loader, device):
    model.eval()
    losses = []
    n_correct, n_total = 0, 0
    for step, batch in enumerate(loader):
        batch = {k: v.to(device) for k, v in batch.items()}
        with torch.no_grad():
            outputs = model(**batch)
        losses.append(outputs.loss.repeat(len(batch["input_ids"])))
        preds = outputs.logits[:, :-1].argmax(-1)
        labels = batch["labels"][:, 1:]
        mask = labels != -100
        n_correct += ((preds == labels) & mask).sum().item()
        n_total += mask.sum().item()
    losses = torch.cat(losses)
    try:
        eval_loss = torch.mean(losses)
        perplexity = math.exp(eval_loss)
    except OverflowError:
        perplexity = float("inf")
    return {"eval_loss": eval_loss.item(), "perplexity": perplexity, "token_acc": n_correct / n_total}


def evaluate_generation(args, model, loader, device, n_show=3):
    hits, total, samples = 0, 0, []
    for batch in loader:
        ids = generate(model, batch["input_ids"].to(device), batch["attention_mask"].to(device))
        texts = [decode(row) for row in ids.tolist()]
        for prompt, answer, text in zip(batch["prompts"], batch["answers"], texts):
            hits += int(text == answer)
            total += 1
            if len(samples) < n_show:
                samples.append(f"{prompt}{text} ({answer})")
    return {"exact_match": hits / total, "samples": samples}


def main():
    args = parse_args()
    logging.basicConfig(format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", level=logging.INFO)
    set_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    os.makedirs(args.output_dir, exist_ok=True)
    writer = SummaryWriter(os.path.join(args.output_dir, "tb")) if SummaryWriter is not None else None

    train_ds, eval_ds = ArithmeticDataset(640, seed=1), ArithmeticDataset(160, seed=2)
    train_dataloader = DataLoader(train_ds, shuffle=True, collate_fn=collate_train,
                                  batch_size=args.per_device_train_batch_size)
    eval_dataloader = DataLoader(eval_ds, collate_fn=collate_train, batch_size=args.per_device_eval_batch_size)
    gen_dataloader = DataLoader(eval_ds, collate_fn=collate_eval, batch_size=args.per_device_eval_batch_size)

    config = GPT2Config(vocab_size=VOCAB_SIZE, n_positions=64, n_embd=64, n_layer=2, n_head=4,
                        bos_token_id=1, eos_token_id=2, pad_token_id=0)
    model = GPT2LMHeadModel(config)
    model.to(device)
    optimizer = build_optimizer(args, model)

    steps_per_epoch = math.ceil(len(train_dataloader) / args.gradient_accumulation_steps)
    if args.max_train_steps is None:
        args.max_train_steps = args.num_train_epochs * steps_per_epoch
    else:
        args.num_train_epochs = math.ceil(args.max_train_steps / steps_per_epoch)
    lr_scheduler = get_scheduler(args.lr_scheduler_type, optimizer=optimizer,
                                 num_warmup_steps=args.num_warmup_steps, num_training_steps=args.max_train_steps)

    logger.info("***** Running training *****")
    logger.info(f"  Num examples = {len(train_ds)}")
    logger.info(f"  Num parameters = {sum(p.numel() for p in model.parameters())}")
    logger.info(f"  Total optimization steps = {args.max_train_steps}")
    completed_steps, best_em, tr_loss, logging_loss = 0, -1.0, 0.0, 0.0
    history = []
    start = time.time()
    for epoch in range(args.num_train_epochs):
        model.train()
        for step, batch in enumerate(tqdm(train_dataloader, desc=f"epoch {epoch}", disable=None)):
            batch = {k: v.to(device) for k, v in batch.items()}
            outputs = model(**batch)
            loss = outputs.loss / args.gradient_accumulation_steps
            loss.backward()
            tr_loss += loss.item()
            if (step + 1) % args.gradient_accumulation_steps == 0 or step == len(train_dataloader) - 1:
                grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
                completed_steps += 1
                if completed_steps % args.logging_steps == 0:
                    scalars = {"loss": (tr_loss - logging_loss) / args.logging_steps,
                               "lr": lr_scheduler.get_last_lr()[0], "grad_norm": grad_norm.item()}
                    logging_loss = tr_loss
                    logger.info("step %d %s", completed_steps, {k: round(v, 5) for k, v in scalars.items()})
                    if writer is not None:
                        for k, v in scalars.items():
                            writer.add_scalar(f"train/{k}", v, completed_steps)
                if completed_steps % args.checkpointing_steps == 0:
                    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                                "scheduler": lr_scheduler.state_dict(), "step": completed_steps},
                               os.path.join(args.output_dir, "last.pt"))
            if completed_steps >= args.max_train_steps:
                break

        metrics = evaluate_loss(args, model, eval_dataloader, device)
        metrics.update(evaluate_generation(args, model, gen_dataloader, device))
        logger.info(f"epoch {epoch}: ppl {metrics['perplexity']:.3f} acc {metrics['token_acc']:.3f} "
                    f"em {metrics['exact_match']:.3f} {metrics['samples']}")
        history.append({"epoch": epoch, "step": completed_steps, "time": time.time() - start, **metrics})
        if metrics["exact_match"] > best_em:
            best_em = metrics["exact_match"]
            model.save_pretrained(args.output_dir)
        with open(os.path.join(args.output_dir, "all_results.json"), "w") as f:
            json.dump(history, f, indent=2)

    model = GPT2LMHeadModel.from_pretrained(args.output_dir).to(device)
    batch = collate_eval([eval_ds[i] for i in range(4)])
    for t in (0.7, 1.0):
        ids = generate(model, batch["input_ids"].to(device), batch["attention_mask"].to(device), do_sample=True,
                       temperature=t, top_k=8, top_p=0.95)
        logger.info(f"T={t}: " + " | ".join(p + decode(r) for p, r in zip(batch["prompts"], ids.tolist())))


if __name__ == "__main__":
    main()
