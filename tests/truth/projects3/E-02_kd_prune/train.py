import json
import logging
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR

from config import parse_cli
from kdprune.data import loaders
from kdprune.distill import DistillLoss, FeatureTap
from kdprune.models import WRN
from kdprune.pruning import Pruner

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("kd")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
TAPS = ("group2", "group3")


def n_params(m):
    return sum(p.numel() for p in m.parameters())


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    top1 = top3 = n = 0
    nll = 0.0
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        out = model(x)
        nll += F.cross_entropy(out, y, reduction="sum").item()
        hit = out.topk(3, dim=1).indices == y[:, None]
        top1 += hit[:, 0].sum().item()
        top3 += hit.any(1).sum().item()
        n += y.numel()
    return {"top1": top1 / n, "top3": top3 / n, "nll": nll / n}


def make_optim(model, cfg, epochs, steps):
    decay = [p for p in model.parameters() if p.ndim > 1]
    no_decay = [p for p in model.parameters() if p.ndim <= 1]
    opt = torch.optim.SGD([{"params": decay, "weight_decay": cfg.weight_decay},
                           {"params": no_decay, "weight_decay": 0.0}], lr=cfg.lr, momentum=0.9, nesterov=True)
    return opt, OneCycleLR(opt, max_lr=cfg.lr, total_steps=epochs * steps, pct_start=0.2)


def train_teacher(cfg, tr, va):
    teacher = WRN(n_blocks=2, widen=3).to(device)
    log.info("teacher: %d params", n_params(teacher))
    opt, sched = make_optim(teacher, cfg, cfg.teacher_epochs, len(tr))
    for ep in range(cfg.teacher_epochs):
        teacher.train()
        running = 0.0
        for x, y in tr:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            loss = F.cross_entropy(teacher(x), y, label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item()
        m = evaluate(teacher, va)
        log.info("teacher ep %d loss %.3f top1 %.3f", ep, running / len(tr), m["top1"])
    return teacher.eval().requires_grad_(False)


def train_student(cfg, teacher, tr, va):
    student = WRN(n_blocks=1, widen=1).to(device)
    log.info("student: %d params", n_params(student))
    opt, sched = make_optim(student, cfg, cfg.student_epochs, len(tr))
    pruner = Pruner(student, cfg.prune, len(tr))
    criterion = DistillLoss(cfg.distill)
    s_tap, t_tap = FeatureTap(student, TAPS), FeatureTap(teacher, TAPS)
    best, history, step = None, [], 0
    for ep in range(cfg.student_epochs):
        student.train()
        agg = {}
        for x, y in tr:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            with torch.no_grad():
                t_out = teacher(x)
            s_out = student(x)
            loss, parts = criterion(s_out, t_out, y, s_tap.out, t_tap.out)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            pruner.step(step)
            step += 1
            for k, v in parts.items():
                agg[k] = agg.get(k, 0.0) + v
        parts = {k: (v / len(tr)).item() for k, v in agg.items()}
        m = evaluate(student, va)
        m.update(epoch=ep, sparsity=pruner.sparsity(), **parts)
        history.append(m)
        log.info("student ep %d hard %.3f soft %.3f at %.5f | top1 %.3f top3 %.3f | sparsity %.3f",
                 ep, parts["hard"], parts["soft"], parts["at"], m["top1"], m["top3"], m["sparsity"])
        # only models at the target sparsity are candidates
        if ep >= cfg.prune.end_epoch and (best is None or m["top1"] > best["top1"]):
            best = m
            torch.save({"model": student.state_dict(), "masks": pruner.masks}, Path(cfg.out) / "student_best.pt")
    s_tap.close()
    t_tap.close()
    for name, s in pruner.report().items():
        log.info("  %-22s %.3f", name, s)
    pruner.detach()
    return student, best, history


def main():
    cfg = parse_cli()
    torch.manual_seed(cfg.seed)
    Path(cfg.out).mkdir(parents=True, exist_ok=True)
    tr, va = loaders(cfg)
    teacher = train_teacher(cfg, tr, va)
    student, best, history = train_student(cfg, teacher, tr, va)
    if best is not None:
        student.load_state_dict(torch.load(Path(cfg.out) / "student_best.pt", map_location=device)["model"])
    final = evaluate(student, va)
    nnz = sum((p != 0).sum().item() for p in student.parameters())
    log.info("teacher top1 %.3f / student top1 %.3f with %d nonzero parameters",
             evaluate(teacher, va)["top1"], final["top1"], nnz)
    (Path(cfg.out) / "history.json").write_text(json.dumps(history, indent=1))


if __name__ == "__main__":
    main()
