import bisect
import logging
import os
import sys
import tempfile
import time
from collections import defaultdict

import torch
from torch.utils.data import DataLoader

from fcos import FCOS, get_cfg
from fcos.data import BoxesDataset, trivial_batch_collator
from fcos.evaluation import APEvaluator

logger = logging.getLogger("fcos")


def lr_factor(cfg):
    def f(it):
        warm = min(1.0, 0.1 + 0.9 * it / cfg.SOLVER.WARMUP_ITERS)
        return warm * 0.1 ** bisect.bisect_right(cfg.SOLVER.STEPS, it)
    return f


def do_test(cfg, model):
    loader = DataLoader(BoxesDataset(cfg.DATASETS.NUM_TEST, cfg.INPUT.SIZE, 10 ** 6), batch_size=8,
                        collate_fn=trivial_batch_collator)
    evaluator = APEvaluator(cfg.MODEL.NUM_CLASSES)
    model.eval()
    with torch.no_grad():
        for inputs in loader:
            outputs = model(inputs)
            torch.cuda.synchronize()
            evaluator.process(inputs, outputs)
    model.train()
    results = evaluator.evaluate()
    logger.info("Evaluation results: %s", results)
    return results


def do_train(cfg, model, out_dir):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.SOLVER.BASE_LR, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_factor(cfg))
    dataset = BoxesDataset(cfg.SOLVER.MAX_ITER * cfg.SOLVER.IMS_PER_BATCH, cfg.INPUT.SIZE, 0)
    loader = DataLoader(dataset, batch_size=cfg.SOLVER.IMS_PER_BATCH, num_workers=2,
                        collate_fn=trivial_batch_collator)
    storage = defaultdict(list)
    start = time.time()
    for iteration, data in enumerate(loader, 1):
        loss_dict = model(data)
        losses = sum(loss_dict.values())
        assert torch.isfinite(losses).all(), loss_dict

        loss_dict_reduced = {k: v.item() for k, v in loss_dict.items()}
        storage["total_loss"].append(sum(loss_dict_reduced.values()))
        for k, v in loss_dict_reduced.items():
            storage[k].append(v)

        optimizer.zero_grad()
        losses.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.SOLVER.CLIP)
        optimizer.step()
        scheduler.step()

        if iteration % 10 == 0:
            logger.info("iter: %d  %s  lr: %.5f  time: %.3f", iteration,
                        "  ".join("%s: %.4f" % (k, sum(v[-10:]) / len(v[-10:])) for k, v in storage.items()),
                        scheduler.get_last_lr()[0], (time.time() - start) / iteration)
        if iteration % cfg.TEST.EVAL_PERIOD == 0:
            do_test(cfg, model)
            torch.save({"model": model.state_dict(), "iteration": iteration},
                       os.path.join(out_dir, "model_%07d.pth" % iteration))


def main():
    cfg = get_cfg()
    cfg.merge_from_list(sys.argv[1:])
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="[%(asctime)s %(name)s]: %(message)s")
    torch.manual_seed(cfg.SEED)
    model = FCOS(cfg).to(torch.device(cfg.MODEL.DEVICE))
    logger.info("Model:\n%s", model)
    do_train(cfg, model, tempfile.mkdtemp(prefix="fcos_"))


if __name__ == "__main__":
    main()
