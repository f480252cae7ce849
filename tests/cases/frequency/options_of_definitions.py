"""Options that absl defines, defaults that set_defaults replaces, and classes whose fields a parser fills."""
import argparse
from dataclasses import dataclass, field

import torch
import tyro
from absl import app, flags
from torch import nn

FLAGS = flags.FLAGS
flags.DEFINE_bool("dump", False, "print losses")
flags.DEFINE_enum("clip", "norm", ["norm", "value"], "how gradients are clipped")
flags.DEFINE_float(name="weight", default=0.0, help="of the penalty")
flags.DEFINE_boolean("check", True, "look for nan")

model = nn.Linear(8, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)


@dataclass
class Log:
    dump: bool = False


@dataclass
class Run:
    kind: str = "l2"
    check: bool = True
    log: Log = field(default_factory=Log)


def step():
    loss = model(torch.randn(4, 8, device="cuda")).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def defined(_):
    for _ in range(1000):
        loss = step()
        if FLAGS.dump:
            print(loss.item())  # sync: host-read note
        if flags.FLAGS.clip == "value":
            print(loss.item())  # sync: host-read note
        if FLAGS.weight > 0:
            print(loss.item())  # sync: host-read note
        if FLAGS.check:
            print(loss.item())  # sync: host-read certain


def filled():
    r = tyro.cli(Run)
    for _ in range(1000):
        loss = step()
        if r.kind == "l1":
            print(loss.item())  # sync: host-read note
        if r.log.dump:
            print(loss.item())  # sync: host-read note
        if r.check:
            print(loss.item())  # sync: host-read certain


def replaced():
    parser = argparse.ArgumentParser()
    parser.set_defaults(quiet=False, norms=False)
    parser.add_argument("--norms", action="store_true", default=True)
    parser.add_argument("--quiet", action="store_true", default=True)
    parser.add_argument("--level", type=int, nargs="?")
    parser.add_argument("mode", nargs="?", default="fast")
    parser.set_defaults(norms=True, level=0)
    a = parser.parse_args()
    for _ in range(1000):
        loss = step()
        if a.quiet:
            print(loss.item())  # sync: host-read note
        if a.norms:
            print(loss.item())  # sync: host-read certain
        if a.level:
            print(loss.item())  # sync: host-read note
        if a.mode == "slow":
            print(loss.item())  # sync: host-read note


filled()
replaced()
app.run(defined)
