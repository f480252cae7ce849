import argparse
import logging
import math
import os
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F

import engine
from configs import get_cfg
from moe.data import build_test_loader, build_train_loader
from moe.model import MoELM

logger = logging.getLogger("moe")


def setup(args):
    cfg = get_cfg()
    if args.config_file:
        cfg.merge_from_file(os.path.join(os.path.dirname(os.path.abspath(__file__)), args.config_file))
    cfg.merge_from_list(args.opts)
    if not cfg.OUTPUT.DIR:
        cfg.OUTPUT.DIR = tempfile.mkdtemp(prefix="moe_")
    os.makedirs(cfg.OUTPUT.DIR, exist_ok=True)
    fmt = logging.Formatter("[%(asctime)s %(name)s]: %(message)s", datefmt="%m/%d %H:%M:%S")
    logger.setLevel(logging.DEBUG)
    for h in (logging.StreamHandler(sys.stdout), logging.FileHandler(os.path.join(cfg.OUTPUT.DIR, "log.txt"))):
        h.setFormatter(fmt)
        logger.addHandler(h)
    logger.info("Running with full config:\n" + cfg.dump())
    return cfg


def build_optimizer(cfg, model):
    experts, decay, no_decay = [], [], []
    for name, p in model.named_parameters():
        if ".experts." in name:
            experts.append(p)
        elif p.ndim < 2 or "pos" in name:
            no_decay.append(p)
        else:
            decay.append(p)
    wd = cfg.SOLVER.WEIGHT_DECAY
    return torch.optim.AdamW([
        {"params": decay, "weight_decay": wd},
        {"params": no_decay, "weight_decay": 0.0},
        {"params": experts, "weight_decay": wd, "lr_scale": cfg.SOLVER.EXPERT_LR_SCALE},
    ], lr=cfg.SOLVER.BASE_LR)


def inference_on_dataset(cfg, model, loader):
    model.eval()
    E = cfg.MODEL.NUM_EXPERTS
    nll, n = 0.0, 0
    usage = np.zeros((len(model.moe_layers()), E))
    with torch.no_grad():
        for data in loader:
            tokens = data["tokens"].cuda()
            logits = model(tokens[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum")
            nll += loss.item()
            n += tokens[:, 1:].numel()
            for i, m in enumerate(model.moe_layers()):
                usage[i] += m.aux["load"].cpu().numpy()
    model.train()
    usage /= usage.sum(1, keepdims=True)
    entropy = -(usage * np.log(usage + 1e-9)).sum(1) / math.log(E)
    return {"ppl": round(math.exp(nll / n), 3), "usage_entropy": [round(float(e), 3) for e in entropy]}


def main(args):
    cfg = setup(args)
    torch.manual_seed(42)
    np.random.seed(42)
    model = MoELM(cfg.MODEL).cuda()
    logger.info("Model: %.2fM params" % (sum(p.numel() for p in model.parameters()) / 1e6))
    optimizer = build_optimizer(cfg, model)
    test_loader = build_test_loader(cfg)
    trainer = engine.MoETrainer(cfg, model, build_train_loader(cfg), optimizer, amp=args.amp)
    trainer.register_hooks([
        engine.IterationTimer(),
        engine.LRHook(cfg.SOLVER.BASE_LR, cfg.SOLVER.WARMUP_ITERS, cfg.SOLVER.MAX_ITER),
        engine.EvalHook(cfg.TEST.EVAL_PERIOD, lambda: inference_on_dataset(cfg, model, test_loader)),
        engine.CheckpointHook(cfg.OUTPUT.DIR, cfg.TEST.EVAL_PERIOD),
        engine.MetricPrinter(cfg.OUTPUT.LOG_PERIOD),
    ])
    trainer.train(cfg.SOLVER.MAX_ITER)
    return trainer.storage["val_ppl"][-1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--config-file", default="", metavar="FILE")
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("opts", default=[], nargs=argparse.REMAINDER)
    main(parser.parse_args())
