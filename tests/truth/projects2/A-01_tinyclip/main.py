import logging
import os
import random
import sys
import tempfile
from datetime import datetime

import numpy as np
import torch
from torch import optim
from torch.cuda.amp import GradScaler

from tinyclip.data import SimpleTokenizer, get_data
from tinyclip.loss import ClipLoss
from tinyclip.model import CLIP, CLIPConfig
from tinyclip.params import parse_args
from tinyclip.scheduler import cosine_lr
from tinyclip.train import evaluate, train_one_epoch


def random_seed(seed=42, rank=0):
    torch.manual_seed(seed + rank)
    np.random.seed(seed + rank)
    random.seed(seed + rank)


def setup_logging(log_file, level):
    logging.root.setLevel(level)
    formatter = logging.Formatter("%(asctime)s | %(levelname)s | %(message)s", datefmt="%Y-%m-%d,%H:%M:%S")
    stream_handler = logging.StreamHandler()
    stream_handler.setFormatter(formatter)
    logging.root.addHandler(stream_handler)
    if log_file:
        file_handler = logging.FileHandler(filename=log_file)
        file_handler.setFormatter(formatter)
        logging.root.addHandler(file_handler)


def main(args):
    args = parse_args(args)
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.deterministic = False
    args.device = "cuda:0" if torch.cuda.is_available() else "cpu"

    if args.name is None:
        args.name = "-".join([datetime.now().strftime("%Y_%m_%d-%H_%M_%S"), f"model_{args.model}", f"b_{args.batch_size}"])
    log_base = args.logs or tempfile.mkdtemp(prefix="tinyclip_")
    args.checkpoint_path = os.path.join(log_base, args.name, "checkpoints")
    os.makedirs(args.checkpoint_path, exist_ok=True)
    setup_logging(os.path.join(log_base, args.name, "out.log"), logging.INFO)

    random_seed(args.seed)
    tokenizer = SimpleTokenizer()
    cfg = CLIPConfig(image_size=args.image_size, vocab_size=tokenizer.vocab_size,
                     context_length=tokenizer.context_length)
    model = CLIP(cfg)
    model.to(args.device)
    logging.info("Model:")
    logging.info(f"{str(model)}")
    logging.info(f"params: {sum(p.numel() for p in model.parameters()) / 1e6:.2f}M")

    data = get_data(args, tokenizer)

    exclude = lambda n, p: p.ndim < 2 or "bn" in n or "ln" in n or "bias" in n or "logit_scale" in n
    named_parameters = list(model.named_parameters())
    gain_or_bias_params = [p for n, p in named_parameters if exclude(n, p) and p.requires_grad]
    rest_params = [p for n, p in named_parameters if not exclude(n, p) and p.requires_grad]
    optimizer = optim.AdamW(
        [{"params": gain_or_bias_params, "weight_decay": 0.}, {"params": rest_params, "weight_decay": args.wd}],
        lr=args.lr, betas=(args.beta1, args.beta2), eps=args.eps)
    scaler = GradScaler() if args.precision == "amp" else None

    start_epoch = 0
    if args.resume is not None:
        checkpoint = torch.load(args.resume, map_location="cpu")
        start_epoch = checkpoint["epoch"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        if scaler is not None and "scaler" in checkpoint:
            scaler.load_state_dict(checkpoint["scaler"])
        logging.info(f"=> resuming checkpoint '{args.resume}' (epoch {start_epoch})")

    total_steps = (len(data["train"]) // args.accum_freq) * args.epochs
    scheduler = cosine_lr(optimizer, args.lr, args.warmup, total_steps)
    loss = ClipLoss(cache_labels=True)

    for epoch in range(start_epoch, args.epochs):
        logging.info(f"Start epoch {epoch}")
        train_one_epoch(model, data, loss, epoch, optimizer, scaler, scheduler, args)
        completed_epoch = epoch + 1
        evaluate(model, data, completed_epoch, args, tokenizer)

        checkpoint_dict = {
            "epoch": completed_epoch,
            "name": args.name,
            "state_dict": model.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        if scaler is not None:
            checkpoint_dict["scaler"] = scaler.state_dict()
        if completed_epoch == args.epochs or (args.save_frequency > 0 and (completed_epoch % args.save_frequency) == 0):
            torch.save(checkpoint_dict, os.path.join(args.checkpoint_path, f"epoch_{completed_epoch}.pt"))
        if args.save_most_recent:
            torch.save(checkpoint_dict, os.path.join(args.checkpoint_path, "epoch_latest.pt"))


if __name__ == "__main__":
    main(sys.argv[1:])
