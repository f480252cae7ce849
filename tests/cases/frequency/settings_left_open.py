"""A branch that a setting picks, where nobody in sight says what it is: told with that. Data, counters and GPUs are no settings."""
import torch
import yaml
from torch import nn

FILE = yaml.safe_load(open("run.yaml"))
CHECKED = FILE["checked"]


class Balance:
    def __init__(self, target, cfg):
        self.target, self.mode = target, cfg.train.mode

    def update(self, logits):
        if self.target is None:
            return
        print(logits.sum().item())  # sync: host-read only certain
        if self.mode == "b":
            print(logits.sum().item())  # sync: host-read only certain
        else:
            print(logits.sum().item())  # sync: host-read certain only


def leads(cfg):
    return cfg.rank == 0


class Trainer:
    def __init__(self, cfg, hparams):
        self.cfg, self.hparams, self.model = cfg, hparams, nn.Linear(8, 8).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), cfg["lr"])
        self.balance = Balance(cfg["target"], cfg)
        self.verbose = cfg.get("verbose")
        self.seen = 0

    @property
    def shows(self):
        return self.cfg["log"]["level"] > 1

    def fit(self, batches):
        either = self.hparams.either and not self.hparams.quiet
        for i, x in enumerate(batches):
            loss = self.model(x.cuda()).mean()  # sync: copy-to-device
            self.balance.update(loss)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.verbose:
                print(loss.item())  # sync: host-read only certain
            if self.cfg["train"]["clip"] > 0:
                print(loss.item())  # sync: host-read only
            if self.hparams.mode in ("a", "b"):
                print(loss.item())  # sync: host-read only
            if self.shows and CHECKED:
                print(loss.item())  # sync: host-read only
            if self.verbose and loss.isinf():  # sync: tensor-truth only
                pass
            skips = self.cfg["balanced"] and loss.item() < 1  # sync: host-read only
            if either:
                print(loss.item())  # sync: host-read only
            if int(FILE.get("debug", 0)):
                print(loss.item())  # sync: host-read note
            if i < self.cfg.warmup:
                print(loss.item())  # sync: host-read always
            if leads(self.cfg):
                print(loss.item())  # sync: host-read always
            if self.cfg.use_cuda:
                print(loss.item())  # sync: host-read always
            if i % self.cfg.every == 0:
                print(loss.item())  # sync: host-read note always
            if loss > self.cfg.most:  # sync: tensor-truth always
                print(loss.item())  # sync: host-read always
            if len(x) > self.cfg["size"]:
                print(loss.item())  # sync: host-read always
