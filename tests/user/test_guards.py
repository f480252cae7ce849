#!/usr/bin/env python3
"""How often a line runs, as every format tells it."""
import sys
from bench import *

GATHERED = """import torch
from torch.utils.data import DataLoader

model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, x in enumerate(DataLoader(torch.randn(64, 64))):
    loss = model(x.cuda()).mean()
    loss.backward()
    print(loss.item())
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())
"""


def told(text, *args, status=1):
    write("train.py", text)
    return syncl("--output-format=json", "--isolated", *args, "train.py", status=status).json


def test_the_turn_of_an_accumulating_loop_is_a_batch():
    """What stands beside the optimizer's step runs every training step, four turns of a loop that is priced by the batch."""
    ran = told(GATHERED)
    before, beside = [f for f in ran["findings"] if f["rule"] == "host-read"]
    same((before["frequency"]["unit"], before["frequency"]["text"]), ("batch", "every batch"))
    same((beside["frequency"]["unit"], beside["frequency"]["text"]), ("step", "every training step"))
    same([loop["unit"] for loop in ran["loops"]], ["batch"])
    holds(ran["loops"][0]["name"], "batch of `for i, x in enumerate")
    holds(beside["cost"]["text"], "per training step")


OPTIONAL = """import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
parser.add_argument("--clip", type=float, default=0.0)
args = parser.parse_args()
model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(1000):
    loss = model(torch.randn(64, 64, device="cuda")).mean()
    loss.backward()
    optimizer.step()
    if args.amp:
        print(loss.item())
        if args.clip > 0:
            print(loss.item())
"""


def test_an_option_that_is_off_is_said_with_the_finding():
    """A note with a price of its own, no part of what the loop's waits cost together; every format has the words."""
    ran = told(OPTIONAL, status=0)
    first, second = ran["findings"] if ran["findings"][0]["line"] == 15 else ran["findings"][::-1]
    same((first["level"], first["frequency"]["only"]), ("note", "`--amp`"))
    same(second["frequency"]["only"], "`--amp` and `args.clip > 0`")
    holds(first["frequency"]["text"], "every training step, only with `--amp`")
    lacks(first["cost"]["text"], "not priced")
    same(ran["loops"][0]["all"]["high_us"], 0)
    for style in ("full", "concise", "sarif", "html", "markdown", "github"):
        out = " ".join(syncl("--isolated", "--output-format=" + style, "train.py", status=0).out.split())
        holds(out.replace("<code>", "`").replace("</code>", "`").replace("&#96;", "`"), "only with `--amp`")


def test_what_is_made_behind_an_option_is_told_with_it():
    """tests/cases/frequency/made_behind_options.py: what is made elsewhere as well, or behind what is on, is told without one."""
    ran = told((ROOT / "tests/cases/frequency/made_behind_options.py").read_text(), status=1)
    only = [found["frequency"].get("only") for found in sorted(ran["findings"], key=lambda found: found["line"])]
    same(only, ["`self.record`", "`self.record`", None, None])


def test_what_is_handed_on_is_what_the_callers_give():
    """By *args and **options; and a loop of its own behind an option, within one that runs without, is told with the option."""
    ran = told((ROOT / "tests/cases/frequency/options_gathered.py").read_text(), status=1)
    only = [found["frequency"].get("only") for found in sorted(ran["findings"], key=lambda found: found["line"])]
    same(only, ["`self.penalty is not None`", "`self.checked`", None, "`self.rows is not None`"])


PICKED = """import torch
from elsewhere import prior, wanted


def project(delta, order, keep=None, mode="clip"):
    if order == 1:
        delta = delta / delta.abs().sum().item()
    elif order in (2, 3):
        delta = delta / delta.square().sum().item()
    if keep is not None:
        delta = delta[keep > 0]
    if mode == "clip":
        print(delta.max().item())
    return delta


def attack(model, x, order, mask):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(1000):
        loss = model(project(x.cuda(), order, keep=mask.cuda() if prior(mask) else None)).mean()
        if order == 4 or step % 100 == 0:
            print(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


attack(torch.nn.Linear(64, 8).cuda(), torch.randn(64, 64), wanted(), wanted())
"""


def test_a_way_that_somebody_picks_is_told_with_that():
    """Nothing in sight says which; the level is that of what runs always. What holds in all that is in sight needs no words."""
    found = {f["line"]: f for f in told(PICKED)["findings"]}
    same(found[7]["frequency"].get("only"), "`order == 1`")
    same(found[9]["frequency"].get("only"), "`order in (2, 3)`")
    same(found[11]["frequency"].get("only"), "`keep is not None`")
    same([found[line]["level"] for line in (7, 9, 11)], ["warning"] * 3)
    same(found[13]["frequency"].get("only"), None)
    same((found[22]["frequency"]["text"], found[22]["level"]), ("every training step", "warning"))


LENGTHS = """import torch
from elsewhere import loader

model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, batch in enumerate(loader):
    if len(batch) == 2:
        x = batch[0].cuda()
    elif len(batch) > 2:
        x = sum(part.cuda() for part in batch)
    else:
        x = torch.randn(4, 64).cuda()
    loss = model(x).mean()
    if len(batch) > 3:
        print(loss.item())
    loss.backward()
    optimizer.step()
"""


def test_ways_that_go_by_a_length_are_told_with_it():
    """Of several ways each; what has no other way is told as ever."""
    found = {f["line"]: (f["frequency"].get("only"), f["level"]) for f in told(LENGTHS)["findings"]}
    same([found[line] for line in (8, 10, 12, 15)],
         [("`len(batch) == 2`", "warning"), ("`len(batch) > 2`", "warning"), (None, "warning"), (None, "warning")])


EXPLAINED = """import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(64, 64))
model = torch.nn.Linear(64, 8).cuda()


def explain(x):
    x.requires_grad_(True)
    model(x.cuda()).max().backward()
    return x.grad


def evaluate():
    for x in loader:
        print(model(x.cuda()).mean().item(), explain(x))


def attack():
    for x in loader:
        print(model(x.cuda()).mean().item(), explain(x))
"""


FORCES = """import torch


class Walk(torch.nn.Module):
    def __init__(self, target, steps):
        super().__init__()
        self.target = target.cuda()
        self.steps = steps

    def forward(self, z):
        for _ in range(self.steps):
            z = z.detach().requires_grad_(True)
            z = z - torch.autograd.grad(self.target(z).sum(), z)[0]
            print(z.norm().item())
        return z
"""


def test_a_gradient_in_an_evaluation_trains_nothing():
    found = {f["line"]: f["frequency"]["text"] for f in told(EXPLAINED)["findings"]}
    same([found[line] for line in (16, 21)], ["every evaluation batch", "every training step"])


def test_a_loop_of_a_forward_pass_is_no_training_step():
    same([f["frequency"]["text"] for f in told(FORCES)["findings"]], ["several times every call"])


ROWS = """import torch
from torch.utils.data import DataLoader


class Loss(torch.nn.Module):
    def forward(self, outputs, labels):
        total = 0
        for row, label in zip(outputs, labels):
            total += (row - label).abs().sum().item()
        return total


model = torch.nn.Linear(64, 8).cuda()
for i, (x, y) in enumerate(zip(DataLoader(torch.randn(64, 64)), DataLoader(torch.randn(64, 8)))):
    for k, row in enumerate(model(x.cuda())):
        print(row.argmax().item())
"""


def test_the_rows_of_a_batch_are_no_batches():
    found = {f["line"]: f["frequency"]["text"] for f in told(ROWS)["findings"]}
    same([found[line] for line in (9, 15, 16)], ["several times every call", "every evaluation batch", "several times every evaluation batch"])


EMPTY = """import torch


class Trainer:
    def __init__(self, model, optimizer, callbacks=None, metrics={}, extra=(), hooks=None):
        self.model, self.optimizer = model.cuda(), optimizer
        self.callbacks = callbacks or []
        self.metrics = metrics
        self.extra = list(extra)
        self.hooks = [] if hooks is None else hooks
        self.hooks.append(print)

    def fit(self, train_loader, names, kept=[]):
        for x in train_loader:
            loss = self.model(x.cuda()).mean()
            loss.backward()
            self.optimizer.step()
            for callback in self.callbacks:
                callback.on_batch_end(loss.item())
            for i, one in enumerate(kept):
                one.log(i, loss.max().item())
            for name, metric in self.metrics.items():
                metric.update(name, loss.min().item())
            if any(name in self.metrics for name in names) or "loss" in self.metrics:
                print(loss.abs().item())
            for hook in self.hooks:
                hook(loss.sum().item())
            if len(kept) > 1:
                print(loss.neg().item())
"""


def test_a_loop_over_what_is_empty_by_default_has_no_turns():
    """A caller gives the callbacks; what the program itself puts hooks into is not empty."""
    found = {f["line"]: f["frequency"].get("only") for f in told(EMPTY)["findings"] if f["rule"] == "host-read"}
    same([found[line] for line in (19, 21, 23, 27, 29)],
         ["`self.callbacks`", "`kept`", "`self.metrics`", None, "`len(kept) > 1`"])


CLEARED = """import torch
import torch.nn.functional as F
from elsewhere import Base


class Trainer(Base):
    def train_epoch(self, backprop):
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x.cuda()), y.cuda())
            backprop(loss)
            print(loss.item())

    def valid_epoch(self):
        for x, y in self.valid_loader:
            print(F.cross_entropy(self.model(x.cuda()), y.cuda()).item())
"""


def test_a_loop_that_clears_gradients_trains():
    """Though the backward pass and the step are out of sight, and the optimizer is known by its name alone."""
    found = {f["line"]: f["frequency"]["text"] for f in told(CLEARED)["findings"]}
    same([found[line] for line in (12, 16)], ["every training step", "every evaluation batch"])


CODEBOOK = """import torch


class Levels(torch.nn.Module):
    def __init__(self, levels, optimizer):
        super().__init__()
        self.levels = levels
        self.optimizer = optimizer

    def forward(self, x):
        for level in self.levels:
            x = x + level(x)
            print(x.norm().item())
            self.optimizer.step()
        return x
"""


def test_a_step_in_a_forward_pass_makes_no_training_step_of_its_loop():
    same([f["frequency"]["unit"] for f in told(CODEBOOK)["findings"]], ["call"])


RESUMED = """import torch


def resume(optimizer, scheduler, steps):
    optimizer.step()
    for _ in range(steps):
        scheduler.step()


class Trainer:
    def __init__(self, optimizer, scheduler):
        self.model = torch.nn.Linear(8, 8).cuda()
        self.optimizer, self.scheduler = optimizer, scheduler

    def train(self, train_loader):
        resume(self.optimizer, self.scheduler, 9)
        for epoch in range(9):
            for x, y in train_loader:
                loss = self.model(x.cuda()).mean()
                loss.backward()
                self.optimizer.step()
            print(loss.item())
"""


def test_a_step_before_the_epochs_makes_no_step_of_the_run():
    found = {f["line"]: f["frequency"]["unit"] for f in told(RESUMED)["findings"]}
    same((found[19], found[22]), ("step", "epoch"))


MADE = """import torch


class Normed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(1))
        self.ready = False

    def measure(self, x):
        return (x @ x.t()).norm() * torch.ones(1).to(x.device)

    def prepare(self, x):
        for _ in range(20):
            self.scale.copy_(self.measure(x))
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.prepare(x)
        return x * self.measure(x) * self.scale
"""


def test_what_is_made_once_is_not_the_dearest_way():
    same([f["frequency"]["text"] for f in told(MADE)["findings"]], ["every call"])


PLACES = """import os
import platform
import sys
import torch
import torch.distributed as dist

model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def scored(x, mask=None):
    if mask is not None:
        x = x[mask > 0]
    return x.mean()


def train(rank, src, mask, wanted):
    if not wanted():
        mask = None
    for step in range(1000):
        loss = scored(model(torch.randn(64, 64, device="cuda")), mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if os.name == "nt":
            print(loss.item())
        if sys.platform == "linux":
            print(loss.item())
        if platform.system() == "Windows":
            print(loss.item())
        if rank == src:
            print(loss.item())
        if rank != src:
            print(loss.item())
        if rank in (-1, 0):
            print(loss.item())
        if not rank > 0:
            print(loss.item())
        if rank != -1:
            print(loss.item())
        if nranks > 1:
            print(loss.item())
        else:
            print(loss.item())
        if rank == 3:
            print(loss.item())


nranks = torch.cuda.device_count()
train(dist.get_rank(), 1, torch.ones(64, device="cuda"), input)
"""


def test_one_rank_is_where_a_rank_is_that_one():
    """The others are no single rank; -1 says that there is one process alone, and 3 how many dimensions there are."""
    found = {f["line"]: f["frequency"]["text"] for f in told(PLACES)["findings"]}
    one = ", on one rank, for which the others wait"
    same([found[line].endswith(one) for line in (32, 34, 36, 38, 40, 42, 44, 46)], [True, False, True, True] + 4 * [False])


def test_how_many_ranks_there_are_is_no_rank():
    found = {f["line"]: f["frequency"].get("only") for f in told(PLACES)["findings"]}
    same([found[line] for line in (42, 44)], ["`nranks > 1`", None])


def test_what_another_system_does_is_told_with_that():
    found = {f["line"]: f["frequency"].get("only") for f in told(PLACES)["findings"]}
    same([found[line] for line in (26, 28, 30)], ['`os.name == "nt"`', None, '`platform.system() == "Windows"`'])


def test_what_may_be_left_out_is_told_with_that_it_is_there():
    found = {f["line"]: f["frequency"].get("only") for f in told(PLACES)["findings"]}
    same(found[13], "`mask is not None`")


ASKED = """from torch.utils.tensorboard import SummaryWriter


class PrintLogger:
    def __init__(self, folder):
        self.writer = SummaryWriter(folder)

    def add_weights(self, model, step):
        for name, param in model.named_parameters():
            self.writer.add_histogram(name, param, step)

    def add_norms(self, model, step):
        for name, param in model.named_parameters():
            self.writer.add_scalar(name, param.norm(), step)
"""
ASKING = """from dataclasses import dataclass
from print_logger import PrintLogger


@dataclass
class TrainerConfig:
    weights: bool = False


def make(name):
    if name == "printer":
        return PrintLogger("here")
    return None


class Trainer:
    def __init__(self, config: TrainerConfig, model, logger=None):
        self.config = config
        self.model = model
        self.logger = logger
        if logger is None:
            self.logger = make("printer")

    def fit(self):
        for epoch in range(10):
            self.train_epoch()
            self.logger.add_norms(self.model, 2)

    def train_epoch(self):
        if self.config.weights:
            self.logger.add_weights(self.model, 3)
"""


def test_what_is_asked_for_only_with_an_option_is_not_called_again_and_again():
    """By others in sight; add_norms is asked for in each epoch."""
    write("print_logger.py", ASKED)
    write("use.py", ASKING)
    ran = syncl("--output-format=json", "--isolated", "--min-confidence=possible", ".", status=1).json
    same([f["line"] for f in ran["findings"]], [14])


SHARED = """import torch
from torch import nn

def loss_of(model, x, optimizer=None, names=()):
    loss = model(x).square().mean() + len(names)
    for name in names:
        print(name, "is", model, "with", names, "of", optimizer, "and", len(names), "others", flush=True)
    if optimizer is not None:
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss

def fit(model, loader, optimizer):
    for x in loader:
        x = x.cuda(non_blocking=True)
        loss_of(model, x, optimizer, ["a"])
        loss_of(model, x, optimizer, ("b",))
        loss_of(model, x, optimizer, {"c": 1})
        loss_of(model, x, optimizer, {"d"})
        loss_of(model, x, optimizer, "e")

class Shown:
    def __init__(self, model: nn.Module):
        self.model = model

    def predict(self, x: torch.Tensor):
        loss = loss_of(self.model, x, names=range(3))
        print(loss.item())

model = nn.Linear(8, 8).cuda()
fit(model, torch.utils.data.DataLoader(torch.randn(64, 8)), torch.optim.AdamW(model.parameters(), fused=True))
__all__ = ["Shown"]
"""


def test_calls_that_leave_an_optimizer_out_do_not_step():
    """However many others give one: predict() is called again and again, and trains nothing."""
    found = {f["line"]: f["frequency"]["text"] for f in told(SHARED)["findings"]}
    same(found[29], "every call")


NESTED = """import torch
from torch.utils.data import DataLoader
from elsewhere import advance

model = torch.nn.Linear(64, 8).cuda()
for epoch in range(10):
    model.weight.square().sum().backward()
    for x in DataLoader(torch.randn(64, 64)):
        loss = model(x.cuda()).mean()
        loss.backward()
        advance()
        print(loss.item())
"""


def test_a_loop_over_batches_that_goes_backward_is_the_steps():
    """The loop around it goes backward as well, and nothing in sight steps an optimizer."""
    ran = told(NESTED)
    read = [f for f in ran["findings"] if f["rule"] == "host-read"][0]
    same(read["frequency"]["text"], "every training step")
    holds(" ".join(why["text"] for why in read["why"]), "inside `for x in DataLoader")


EITHER = """import torch
from elsewhere import kinds

model = torch.nn.Linear(64, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(1000):
    loss = model(torch.randn(64, 64, device="cuda")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if kinds[i] == 1:
        print(loss.item())
    elif kinds[i] == 2:
        print(loss.item())
    else:
        print(loss.item())
"""


def test_branches_that_exclude_one_another_are_not_added_up():
    """One of three branches is priced with the loop; each other has what it would add to that one, and is no part of the sum."""
    ran = told(EITHER)
    one = told(EITHER[:EITHER.index("    elif")])
    all_of, alone = ran["loops"][0]["all"], one["loops"][0]["all"]
    same((all_of["low_us"], all_of["high_us"] < 1.05 * alone["high_us"]), (alone["low_us"], True), (all_of, alone))
    same(ran["loops"][0]["turn"], one["loops"][0]["turn"])
    same(len(ran["findings"]), 3)
    same({finding["frequency"]["text"] for finding in ran["findings"]}, {"every training step"})
    first, lone = (told["findings"][0]["cost"]["per_execution"] for told in (ran, one))
    same((first["low_us"], first["high_us"] < 1.05 * lone["high_us"]), (lone["low_us"], True), (first, lone))


STEPS = """import torch


class GeneratorLoss(torch.nn.Module):
    def train_ops(self, generator, discriminator, optimizer_generator, noise):
        optimizer_generator.zero_grad()
        loss = self.forward(discriminator(generator(noise)))
        loss.backward()
        optimizer_generator.step()
        return loss.item()
"""


def test_what_steps_an_optimizer_is_a_step_of_who_calls_it():
    """Of a library whose trainer asks for it by its name: the parameter is an optimizer by how it is named and asked."""
    same([found["frequency"]["text"] for found in told(STEPS)["findings"]], ["every training step"])


def test_a_property_asks_how_often_and_sum_drains_a_generator():
    found = told((ROOT / "tests/cases/frequency/asked_by_a_property.py").read_text(), status=0)["findings"]
    same({f["line"]: f["frequency"]["text"] for f in found}, {22: "once in 10 training steps", 24: "once in 20 training steps", 29: "once per epoch"})


SWITCHED = """import torch


class Loss:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __call__(self, out, y, train_mode=True):
        loss = (out - y).square().mean()
        if train_mode:
            loss.backward()
            self.optimizer.step()
        return loss


def batch(model, x, y, is_training):
    loss = (model(x.cuda()) - y).square().mean()
    if not is_training:
        return loss
    loss.backward()
    optimizer.step()
    return loss


def epoch(model, loader, optimizer=None):
    for x, y in loader:
        loss = (model(x.cuda()) - y).square().mean()
        if optimizer is not None:
            loss.backward()
            optimizer.step()
        yield loss


model = torch.nn.Linear(3, 4).cuda()
optimizer = torch.optim.SGD(model.parameters())
loss_of = Loss(optimizer)
for x, y in train_loader:
    print(loss_of(model(x.cuda()), y).item())
for x, y in val_loader:
    print(loss_of(model(x.cuda()), y, train_mode=False).item())
for x, y in train_loader:
    print(batch(model, x, y, True).item())
for x, y in val_loader:
    print(batch(model, x, y, False).item())
for loss in epoch(model, train_loader, optimizer):
    print(loss.item())
for loss in epoch(model, val_loader):
    print(loss.item())
"""


def test_what_a_call_switches_off_trains_nothing_there():
    found = {f["line"]: f["frequency"]["text"] for f in told(SWITCHED)["findings"]}
    same([found[line] for line in (38, 42, 46)], ["every training step"] * 3)
    same([found[line] for line in (40, 44, 48)], ["every turn of the loop"] * 3)


main(sys.modules[__name__])
