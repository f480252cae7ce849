import argparse
import logging

import torch
from torch.utils.data import DataLoader, Dataset, Sampler

from detector import AP50Evaluator, OneStage
from engine import AMPTrainer, CommonMetricPrinter, JSONWriter, SimpleTrainer, hooks


class ToyBoxes(Dataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 10007 + i)
        img = torch.rand(3, 64, 64, generator=g) * 0.2
        k = int(torch.randint(1, 4, (1,), generator=g))
        wh = torch.randint(12, 28, (k, 2), generator=g)
        xy = (torch.rand(k, 2, generator=g) * (64 - wh)).long()
        classes = torch.randint(0, 3, (k,), generator=g)
        boxes = torch.cat([xy, xy + wh], 1)
        for (x0, y0, x1, y1), c in zip(boxes.tolist(), classes.tolist()):
            img[c, y0:y1, x0:x1] += 0.8
        return {"image": img, "boxes": boxes.float(), "classes": classes, "image_id": i}


class TrainingSampler(Sampler):
    """infinite stream of shuffled indices"""

    def __init__(self, size, seed=0):
        self.size, self.seed = size, seed

    def __iter__(self):
        g = torch.Generator()
        g.manual_seed(self.seed)
        while True:
            yield from torch.randperm(self.size, generator=g).tolist()


def trivial_batch_collator(batch):
    return batch


def main(args):
    logging.basicConfig(level=logging.INFO, format="[%(asctime)s %(name)s]: %(message)s", datefmt="%m/%d %H:%M:%S")
    train_set, test_set = ToyBoxes(200, 0), ToyBoxes(40, 1)
    train_loader = DataLoader(train_set, args.ims_per_batch, sampler=TrainingSampler(len(train_set)),
                              collate_fn=trivial_batch_collator)
    test_loader = DataLoader(test_set, args.ims_per_batch, collate_fn=trivial_batch_collator)
    model = OneStage()
    model.to(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [args.max_iter * 2 // 3, args.max_iter * 8 // 9], 0.1)

    def do_test():
        model.eval()
        evaluator = AP50Evaluator(model.num_classes)
        with torch.no_grad():
            for inputs in test_loader:
                evaluator.process(inputs, model(inputs))
        model.train()
        return evaluator.evaluate()

    trainer = (AMPTrainer if args.amp else SimpleTrainer)(model, train_loader, optimizer)
    trainer.register_hooks([
        hooks.IterationTimer(),
        hooks.LRScheduler(optimizer, scheduler),
        hooks.EvalHook(args.eval_period, do_test),
        hooks.BestCheckpointer(model, optimizer, args.output_dir, args.eval_period),
        hooks.PeriodicWriter([CommonMetricPrinter(args.max_iter), JSONWriter(args.output_dir + "/metrics.json")], 10),
    ])
    trainer.train(0, args.max_iter)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-iter", type=int, default=60)
    parser.add_argument("--eval-period", type=int, default=20)
    parser.add_argument("--ims-per-batch", type=int, default=8)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--amp", action="store_true")
    parser.add_argument("--output-dir", default="./out/d2engine")
    main(parser.parse_args())
