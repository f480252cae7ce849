#!/usr/bin/env python
import argparse

import torch
from torch.nn.parallel import DistributedDataParallel

from data import build_detection_test_loader, build_detection_train_loader
from engine import EvalHook, PeriodicWriter, SimpleTrainer
from evaluator import Evaluator, inference_on_dataset
from modeling import Detector


class Trainer(SimpleTrainer):
    def __init__(self, cfg):
        model = self.build_model(cfg)
        optimizer = self.build_optimizer(cfg, model)
        data_loader = build_detection_train_loader(cfg)
        super().__init__(model, data_loader, optimizer)
        self.cfg = cfg
        self.max_iter = cfg.max_iter
        self.register_hooks(self.build_hooks())

    @classmethod
    def build_model(cls, cfg):
        model = Detector(80, (103.5, 116.3, 123.7), (1.0, 1.0, 1.0))
        model.to(torch.device(cfg.device))
        return model

    @classmethod
    def build_optimizer(cls, cfg, model):
        return torch.optim.SGD(model.parameters(), lr=cfg.base_lr, momentum=0.9)

    def build_hooks(self):
        def test_and_save_results():
            return self.test(self.cfg, self.model)

        return [EvalHook(self.cfg.eval_period, test_and_save_results), PeriodicWriter([])]

    @classmethod
    def test(cls, cfg, model):
        return inference_on_dataset(model, build_detection_test_loader(cfg), Evaluator())


def main(args):
    trainer = Trainer(args)
    return trainer.train(0, trainer.max_iter)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--base-lr", type=float, default=0.02)
    parser.add_argument("--eval-period", type=int, default=5000)
    parser.add_argument("--max-iter", type=int, default=90000)
    main(parser.parse_args())
