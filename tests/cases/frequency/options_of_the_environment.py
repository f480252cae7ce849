"""A variable of the environment is an option: by default nobody sets it, unless the program does, or what starts processes."""
import os
from functools import cached_property

import torch
from torch import nn

DUMP = os.environ.get("DUMP_DIR")
TRACE = os.environ.get("TRACE", "0") == "1"
FAST = os.getenv("FAST", "1").lower() in ("1", "true")
CHECK = "CHECK" in os.environ
KEPT = os.environ.get("KEPT")
ENV = os.environ.get
TIMED = ENV("TIMED", "0") == "1"
RANKED = "LOCAL_RANK" in os.environ
TOLD = os.environ.get("TOLD")
os.environ["KEPT"] = "1"
os.environ.setdefault("LOGS", "here")


class Trainer:
    def __init__(self, model):
        self.model = model.cuda()
        self.optimizer = torch.optim.SGD(model.parameters(), 0.1)
        self.slow = bool(int(os.environ.get("SLOW", 0)))

    @cached_property
    def folder(self):
        return os.getenv("DUMP_DIR")

    def dumps(self, kind):
        if self.folder is None:
            return False
        return os.getenv(f"DUMP_{kind}", "0").strip() in {"1", "true"}

    def fit(self, count):
        for i in range(count):
            x = torch.randn(4, 8, device="cuda")
            loss = self.model(x).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if DUMP:
                print(loss.item())  # sync: host-read note
            if DUMP is not None:
                print(loss.item())  # sync: host-read note
            if TRACE:
                print(loss.item())  # sync: host-read note
            if FAST:
                print(loss.item())  # sync: host-read
            else:
                print(loss.item())  # sync: host-read note
            if TIMED:
                print(loss.item())  # sync: host-read note
            if ENV("DROPPED", "") != "" and loss.isinf():  # sync: tensor-truth note
                pass
            if os.environ["MODE"] == "shown" or int(os.environ["SHOWN"]) > 1:
                print(loss.item())  # sync: host-read only
            if os.environ["KEPT"] == "1" or os.environ["LOCAL_RANK"] == "1":
                print(loss.item())  # sync: host-read always
            if CHECK or self.slow:
                print(loss.item())  # sync: host-read note
            if self.dumps("grads"):
                print(loss.item())  # sync: host-read note
            if KEPT:
                print(loss.item())  # sync: host-read
            if "LOGS" in os.environ:
                print(loss.item())  # sync: host-read
            if RANKED:
                print(loss.item())  # sync: host-read
            if TOLD:
                print(loss.item())  # sync: host-read
            if os.environ.get("HERE"):
                print(loss.item())  # sync: host-read note


import options_of_the_environment as own
own.TOLD = "here"
Trainer(nn.Linear(8, 8)).fit(100)
