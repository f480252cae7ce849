#!/usr/bin/env python3
"""The advice fits the case: a page's own where nothing better is known, a clause's where the page's would be wrong. The
reasons read on one line, a parameter by its name."""
import sys
from bench import *

CASES = """import torch
from torch.utils.data import DataLoader

device = torch.device("cuda")
for x in DataLoader(data, batch_size=4):
    x = x.to(device)
    w = torch.zeros(
        len(x),
        4,
    ).to(device)
    u, s, v = torch.linalg.svd(x)
    c = torch.linalg.cholesky(x)
    torch.cuda.empty_cache()
    torch.distributed.barrier()


def scale(pairs: torch.Tensor):
    for p in pairs:
        if p @ p > 0:
            return p
"""


def beside(source, found, told):
    """What is told of the findings of a line is the mark behind it."""
    for at, line in enumerate(source.splitlines(), 1):
        mark = re.search(r"#(.*)", line)
        if mark:
            same({told(f) for f in found if f["line"] == at}, {mark[1].strip()}, (at, line))


def advice():
    write("cases.py", CASES)
    return {f["line"]: f for f in syncl("--output-format=json", "--min-confidence=possible", "cases.py").json["findings"]}


PLURAL = """import torch
model = torch.nn.Linear(8, 8).cuda()
model.eval()
with torch.no_grad():
    for i, x in enumerate(torch.utils.data.DataLoader(torch.randn(100, 8))):
        out = model(x.cuda())
        if i < 3:
            print(out.sum().item())
"""


def test_units_in_the_plural():
    """The first batches of an evaluation; a print now and then in vae's training, and one an epoch."""
    write("plural.py", PLURAL)
    holds(syncl("--exit-zero", "--min-confidence=possible", "--output-format=json", "plural.py").out, "once in some number of evaluation batches")
    out = syncl("--exit-zero", "--min-confidence=possible", "--output-format=json", ROOT / "corpus" / "scripts" / "vae.py").out
    holds(out, "once in 20 training steps")
    holds(out, '"text": "once per epoch"')


def test_advice_of_the_case():
    found = advice()
    holds(found[6]["suggestion"], "pin_memory=True")
    holds(found[7]["suggestion"], "Make it on the GPU, by `torch.zeros(len(x), 4, device=device)`")
    holds(found[11]["suggestion"], "no form of it that does not check")
    holds(found[12]["suggestion"], "cholesky_ex")
    holds(found[13]["suggestion"], "expandable_segments")
    holds(found[14]["suggestion"], "gloo")


NEEDS = """import torch
from torch.utils.data import DataLoader
device = torch.device("cuda")
model = torch.nn.Linear(9, 9).to(device)
v = torch.randn(9, 9, device=device)
for x in DataLoader(data, batch_size=4, pin_memory=True):
    x = x.to(device)  # avoidable: non_blocking=True
    a = v[:, [-1]]  # avoidable: `v[:, -1:]`
    b = v[:, [-1, 2]]  # avoidable: Make the index on the GPU
    assert x.max() < 9  # avoidable: _assert_async
    mask = x > 3
    if mask.any():  # avoidable:
        x[mask] = 0
    if mask.any():  # needed:
        other(x)
    if torch.isnan(x).any():  # avoidable: _assert_async
        raise ValueError("nan")
    mean = x[mask].mean()  # avoidable: torch.where
    some = torch.masked_select(x, mask)  # avoidable:
    torch.cuda.synchronize()  # avoidable: Delete `torch.cuda.synchronize()`
    row = x[mask]  # unknown:
    total = model(x).mean()
    total.backward()
    seen = total.item()  # avoidable: keep `total.detach()` until then
    print(seen)
obs = env.reset()
while True:
    action = model(torch.as_tensor(obs, device=device))  # avoidable: one pinned buffer
    obs, reward, done, info = env.step(action.cpu().numpy())  # needed:
    act = model(torch.as_tensor(obs, device=device)).cpu().numpy()  # needed avoidable:
    obs, reward, done, info = self.train_env.step(act)
    x.copy_(torch.from_numpy(obs))  # avoidable: pinned buffer
"""


def test_what_could_be_done_without_is_avoidable():
    """Of the waits that people removed without loss; and no advice speaks of a loader where none is, or of pinning one that pins."""
    write("needs.py", NEEDS)
    found = syncl("--output-format=json", "--min-confidence=possible", "needs.py").json["findings"]
    for at, line in enumerate(NEEDS.splitlines(), 1):
        here = sorted((f["need"], f["suggestion"]) for f in found if f["line"] == at)
        wanted = re.search(r"# ([a-z ]+):(.*)", line)
        same(sorted({need for need, _ in here}), sorted(wanted[1].split()) if wanted else [], (at, line))
        if wanted and wanted[2]:
            holds(here[0][1], wanted[2].strip())
        for _, suggestion in here:
            lacks(suggestion, "pin_memory=True")


PURPOSES = """import numpy as np
import torch

device = torch.device("cuda")
model = torch.nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), 0.1)
losses, total = [], 0
host = torch.ones(3)


def closing(loss, log):
    log.info(loss)
    return {"loss": loss.item(), "all": [v.item() for v in (loss,)]}  # returned


for step in range(1000):
    x = torch.ones(8, 8, device=device)
    loss = model(x).sum()
    loss.backward()
    opt.step()
    losses.append(loss.item())  # kept
    total += loss.item()  # totalled
    print(loss.item())  # logged
    print(loss)  # logged
    log.debug(f"now {loss.item()}")  # debugged
    log.debug("now %s", loss.item())  # debugged
    scale = 2 if loss.item() > 3 else 1  # selects
    if loss.item() > 4:  # selects
        scale = 3
    if loss < best:  # branches
        best, misses = loss, 0
    else:
        misses += 1
    y = model(x) if loss.item() > 3 else other(x)  # branches
    torch.save(model.state_dict(), "m.pt")  # saved
    if loss.item() > 3:  # branches
        print("large")
    row = table[loss.item()]  # looks_up
    part = x[:loss.item()]  # sizes
    longest = int(x.max())  # counts
    room = torch.Size([8, loss.item()])  # sizes
    logs["loss"] = loss.item()  # kept
    save_dict["loss"] = loss.item()  # saved
    top = x.argmax()
    part = torch.zeros(top, 3)  # sizes
    x[..., top:, 0] = other  # sizes
    mask = x > 0
    if mask.any():  # masked
        x[mask] = 0
    assert torch.isfinite(loss)  # checked
    low = x[mask].mean()  # weighed
    value = loss.item()  # logged
    other = loss.item()  # branches
    if other > 2:
        print(f"{value:.2f} {other}")
    act = x.argmax(1).cpu()  # acts
    obs, _ = env.step(act.numpy())
    out = x.cpu()  #
    kept = closing(loss, log)
    a = torch.zeros(3).to(device)  # made
    b = torch.eye(3).unsqueeze(0).to(device)  # built
    c = torch.from_numpy(np.ones(3)).float().to(device)  # wrapped
    d = host.float().to(device)  # converted
    e = host.to(device)  #
    f = torch.hann_window(3).to(device)  #
    loss.item()  #
"""


def test_what_a_value_is_read_for():
    """Each purpose by its shortest form; of several the one that needs the value most counts."""
    write("purposes.py", PURPOSES)
    found = syncl("--output-format=json", "--min-confidence=possible", "purposes.py").json["findings"]
    beside(PURPOSES, found, lambda f: f.get("purpose", ""))


FLOWS = """import torch
import torch.nn.functional as F

device = "cuda"
model = torch.nn.Linear(8, 8).to(device)
opt = torch.optim.SGD(model.parameters(), 0.1)
best, worst, seen, history = torch.zeros(8, 8, device=device), 0.0, 0, []


def step(x):
    loss = model(x).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    norm = loss.abs().item()  # avoidable returned
    return loss.item(), norm  # avoidable returned


def accuracy(x):
    return x.mean().item()  # unknown returned


def terms(x):
    return {"mean": x.std().item()}  # avoidable returned


for i in range(1000):
    x = torch.ones(8, 8, device=device)
    mask = x > 0
    loss, norm = step(x)
    history.append((loss, norm))
    if accuracy(x) > worst:
        print("better")
    shown = terms(x)
    print("%.3f" % shown["mean"])
    low = x.min().item()  # needed branches
    seen += x.max().item() / 3  # avoidable totalled
    high = x.max().item()  # avoidable logged
    bar.set_postfix({"high": "%.2f" % (high / 3)})
    worst = max(worst, low)
    small = x.amin().item()  # needed branches
    if small / 2 > 1:
        break
    a = torch.mean((x[mask] - best[mask]) ** 2)  # avoidable weighed
    b = F.mse_loss(x[mask], best[mask])  # avoidable weighed
    best[mask] = x[mask].detach()  # avoidable masked
    c = x[mask]  # unknown
    d = x[mask].sort().values.mean()  # unknown
    kinds = x.argmax(1).cpu()  # avoidable logged
    known = kinds[(kinds >= 0) & (kinds < 8)]
    print(known.bincount())
    guess = x.argmax(0).cpu()  # avoidable totalled
    right = (guess == 3).sum()
    seen += right
    same = x.argmin(0).cpu()  # needed branches
    if (same == 3).all():
        break
    pairs = torch.tensor([[k // 3, k % 3] for k in x.argmax(1)])  # avoidable elements
"""


def test_what_is_made_of_a_value_is_what_it_is_for():
    """Through arithmetic, containers and formats, what a caller does with what is returned, and what masks leave out of a mean."""
    write("flows.py", FLOWS)
    found = syncl("--output-format=json", "--min-confidence=possible", "flows.py").json["findings"]
    beside(FLOWS, found, lambda f: f'{f["need"]} {f.get("purpose", "")}'.strip())


def test_advice_follows_the_purpose():
    write("purposes.py", PURPOSES)
    out = " ".join(syncl("--output-format=full", "purposes.py").out.split())
    for words in ("read the numbers of all turns with one `torch.stack(...).tolist()` after the loop", "Add up on the GPU", "Log `loss` every N steps",
                  "What is saved must be copied: save `model.state_dict()` less often", "Branch on `loss` of the step before", "Give the logger `loss` itself", "Let the GPU choose by `loss`",
                  "Delete the `if mask.any()`", "Check `torch.isfinite(loss)` on the GPU",
                  "Keep `loss` on the GPU (`loss.detach()`", "Make it on the GPU, by `torch.zeros(3, device=device)`", "in the call that makes the tensor of `torch.eye(3).unsqueeze(0)`",
                  "through one pinned buffer that is made once: `buffer.copy_(", "and compute `host.float()` on the GPU"):
        holds(out, words)


SENT = """import torch
model = torch.nn.Linear(8, 8).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
weight = torch.ones(8)
for x, y in batches():
    x = x.to("cuda")
    scaled = model(x) * weight.to("cuda")
    loss = (scaled - torch.as_tensor(y, device="cuda")).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()


def score(x, offset):
    for row in x:
        print(model(row.cuda() + offset.cuda()))
        model(row * torch.FloatTensor([0.5]).cuda())
        parts = [part.cuda() for part in offset]


class Sampler:
    gpu = "cuda"

    def times(self, n):
        return torch.randint(9, (n,))

    def noise(self, x, n):
        for i in reversed(range(1, 9)):
            x = model(x + (torch.ones(n) * i).long().to(self.gpu))
            x = model(x * torch.triu(torch.ones(n, n)).to(x.device))
            kept = []
            kept += [x.sum().item()]
        return x


sampler = Sampler()
for i in range(9):
    x = model(sampler.times(8).to("cuda").float())
    x = sampler.noise(x, 8)


class Spline(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.grid, self.kept = torch.ones(8), None
        self.step = torch.ones(8)

    def forward(self, x):
        self.step = self.step + 1
        return x * self.grid.to(x.device) * self.step.to(x.device)


spline = Spline()
for i in range(9):
    spline(x).sum().backward()
__all__ = ["score"]
"""


def test_what_is_sent_is_moved_once_or_comes_with_each_turn():
    """A batch is new in each turn; what no turn of the loop binds is moved before it."""
    write("sent.py", SENT)
    found = {f["line"]: f["suggestion"] for f in syncl("--output-format=json", "--min-confidence=possible", "sent.py").json["findings"] if f["rule"] in ("copy-to-device", "tensor-from-host", "host-read")}
    holds(found[32], "Keep `x.sum()` on the GPU")
    holds(found[6], "Let what makes the data of a turn put it into page-locked memory")
    holds(found[17], "Move `torch.FloatTensor([0.5])` once, before the loop, and keep it")
    same(found[7], "Move `weight` once, before the loop, and keep it: it is the same in each turn.")
    holds(found[18], "Let what makes the data of a turn put it into")
    same(found[29], "Make it on the GPU, with `device=self.gpu` in the call that makes the tensor of `(torch.ones(n) * i).long()`.")
    same(found[30], "Make it on the GPU, with `device=x.device` in the call that makes the tensor of `torch.triu(torch.ones(n, n))`.")
    owned, stepped = [f["suggestion"] for f in sorted(syncl("--output-format=json", "--min-confidence=possible", "sent.py").json["findings"], key=lambda f: f["column"]) if f["line"] == 50]
    holds(owned, "Make `self.grid` a buffer where the module is made")
    holds(stepped, "Put the data into page-locked memory")
    holds(found[38], "Let `sampler.times(8)` be made on the GPU where it can be (`device=`)")


SUMMED = """import torch
model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for batch in torch.utils.data.DataLoader([]):
    penalty = torch.tensor(0.0, device="cuda")
    scale = torch.tensor(0.5, device="cuda")
    for weight in model.parameters():
        penalty += weight.square().sum()
    (model(batch.cuda()).sum() * scale + penalty).backward()
    optimizer.step()
"""


def test_a_sum_that_is_added_to_in_place_is_not_kept():
    """What `+=` changes would start the next turn with this one's sum; a factor stays what it is."""
    write("summed.py", SUMMED)
    found = {f["line"]: f["suggestion"] for f in syncl("--output-format=json", "summed.py").json["findings"] if f["rule"] == "tensor-from-host"}
    same(found[5], "Start with `torch.full((), value, device=device)`, which does not wait: the tensor changes in place, so each turn needs one of its own.")
    holds(found[6], "once, before the loop, and keep it: it is the same in each turn")


LISTED = """import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter
writer = SummaryWriter()


def shift(x: torch.Tensor, n):
    at = np.arange(n) % 3
    return x[:, at[::2]] + x[:, at[1::2]]


def train(batches, model):
    model = model.cuda()
    for step, x in enumerate(batches):
        loss = shift(model(x.cuda(non_blocking=True)), 8).mean()
        loss.backward()
        writer.add_histogram("loss", loss, step)
"""


def test_what_is_cut_from_an_index_is_made_once():
    write("listed.py", LISTED)
    found = {f["line"]: f["suggestion"] for f in syncl("--output-format=json", "--min-confidence=possible", "listed.py").json["findings"]}
    same(found[9], "Make `at` (line 8) a GPU tensor once, before it indexes anything: `at = torch.as_tensor(at, device=device)`.")
    same(found[17], "Leave `writer.add_histogram(\"loss\", loss, step)` to every Nth step.")


PASSED = """import torch
model = torch.nn.Linear(8, 8).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
host = lambda x: x.detach().cpu()


def number(x):
    if isinstance(x, torch.Tensor):
        x = x.item()
    return x


def rounded(x):
    torch.cuda.nvtx.mark("read")
    return round(x.item(), 2)


def train(batches, board):
    for x in batches:
        loss = model(x.cuda(non_blocking=True)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        board.draw(host(loss), number(loss))
        board.show(rounded(loss))
"""


def test_a_function_of_nothing_but_a_wait_is_mended_where_it_is_called():
    """Its line tells nobody what to do; the plan stands at the call. A function that does more is mended itself."""
    write("passed.py", PASSED)
    ran = syncl("--output-format=json", "passed.py").json
    found = {f["line"]: f["suggestion"] for f in ran["findings"]}
    holds(found[4], "Leave `host(loss)` (line 24) to every Nth turn, or keep the tensors and copy several at once")
    holds(found[9], "Leave `number(loss)` (line 24) to every Nth turn, or keep the tensors and read several at once")
    holds(found[15], "Keep `x` on the GPU")
    same([g["where"] for g in ran["plan"]["groups"] if "host(loss)" in g["write"][0]], ["passed.py:24"], ran["plan"])


def test_advice_is_told_once_as_long_as_it_stays_the_same():
    write("cases.py", CASES)
    out = " ".join(syncl("--min-confidence=possible", "-v", "cases.py").out.split())
    same(out.count("help: Make it on the GPU, by `torch.zeros(len(x), 4, device=device)`"), 1)
    holds(out, "pin_memory=True")


def test_a_call_that_could_not_be_followed_is_quoted_on_one_line():
    write("train.py", "import torch\n\n\ndef run(loader, bar):\n    for x in loader:\n        bar(\n            x,\n"
                      "            1)\n        print(x.cuda().sum().item())\n")
    text = [l["text"] for l in syncl("--output-format=json", "train.py").json["loops"] if "followed" in l["text"]]
    same([t.count("\n") for t in text], [0])
    holds(text[0], "`bar(x, 1)` could not be followed")


def test_what_one_function_needs_another_does_not():
    """A variable of the next function may have the same name, and the same place among its function's variables."""
    other = "\n\ndef show(x):\n    value = x\n    print(value)\n"
    one = "import torch\n\n\ndef ask(x):\n    value = x.item()\n    return value\n" + other
    loop = "\n\nx = torch.ones(3, device=\"cuda\").sum()\nfor i in range(100):\n    ask(x)\n"
    for source, need in ((one + loop, "unknown"), (one.replace("return value", "print(value)") + loop, "avoidable"),
                         (one.replace("value", "one", 2) + loop, "unknown")):
        write("train.py", source)
        same([f["need"] for f in syncl("--output-format=json", "train.py").json["findings"]], [need], source)


def test_what_a_definition_reaches_needs_it():
    """Uses behind another assignment are not its own, those of the next turn are; whether it is there needs no value."""
    head = "import torch\n\nt = torch.ones(9, device=\"cuda\")\nn = 0\nfor i in range(100):\n"
    for body, need in (("    n = t[n].item()\n", "needed"), ("    n = t.sum().item()\n    n = i\n    if n > 3: print(i)\n", "unknown"),
                       ("    n = t.sum().item()\n    print(n)\n    n = i\n    if n > 3: print(i)\n", "avoidable"),
                       ("    if n > 3: break\n    n = t.sum().item()\n", "needed"),
                       ("    n = t.sum().item()\n    if n is not None: print(i)\n", "unknown")):
        write("train.py", head + body)
        found = [f["need"] for f in syncl("--output-format=json", "train.py").json["findings"] if f["rule"] == "host-read"]
        same(found, [need], body)


def test_reasons_are_one_line_and_name_the_parameter():
    found = advice()
    texts = [why["text"] for why in found[19]["why"]]
    same(any("`pairs: torch.Tensor`" in text for text in texts), True, texts)


main(sys.modules[__name__])
