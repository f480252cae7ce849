#!/usr/bin/env python3
"""python3 tests/truth/run_remedies.py OUT.tsv [--cpu]: runs both sides of every example of a remedy, and compares.

A row an example: whether all names hold the same bits, types, strides and gradients afterwards, share memory with the same other names,
and the random state is the same; how often each side waits, as torch.cuda.set_sync_debug_mode counts, with what it does not tell of (synchronize()), and how long its body stands behind
a held GPU (0 on the CPU). Exit 1 where a safe remedy's sides differ, or an `after` waits as often as its `before`.

--cpu: without a GPU. `cuda` is then the CPU, and what moves there makes a copy, as it would: values, types, aliases and random state are
told, waits are not."""
import contextlib
import sys
import time
import types
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from remedies import Row, body_of, digest_of, examples, is_shown, read

HELD_CYCLES = 20_000_000


def on_cpu():
    """What is done to the GPU is done to the CPU, with copies where there would be some."""
    plain, device = torch.Tensor.to, torch.device

    def moves(args, kwargs):
        return kwargs.get("device") is not None or any(isinstance(a, (str, device, int)) for a in args)

    torch.Tensor.to = lambda self, *a, **k: plain(self, *a, **k).clone() if moves(a, k) else plain(self, *a, **k)
    torch.Tensor.cuda = lambda self, *a, **k: self.clone()
    torch.Tensor.pin_memory = lambda self, *a, **k: self.clone()
    torch.cuda.Stream = torch.cuda.Event = lambda *a, **k: types.SimpleNamespace(synchronize=lambda: None, record=lambda: None, elapsed_time=lambda other: 1.0)
    torch.cuda.synchronize = lambda *a: None
    full = torch.full
    torch.full = lambda *a, pin_memory=False, **k: full(*a, **k)


def stand_in_for_wandb():
    """wandb.log() takes what it is given; the real one would need wandb.init(), and that a network."""
    sys.modules["wandb"] = types.SimpleNamespace(log=lambda *a, **k: None)


def prepared(cpu):
    text = read("rules/prelude.py")
    if cpu:
        text = text.replace('torch.device("cuda")', 'torch.device("cpu")').replace(".pin_memory()", "").replace('GradScaler("cuda")', 'GradScaler("cpu")')
    torch.manual_seed(0)
    names = {}
    exec(compile(text, "prelude", "exec"), names)
    names["buf"].zero_(), names["bufc"].zero_()  # empty memory holds anything
    return names


def random_state(cpu):
    return [torch.random.get_rng_state()] + ([] if cpu else [torch.cuda.get_rng_state()])


class Queued(TorchDispatchMode):
    """Counts operations."""
    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.count += 1
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def counted_fences(body):
    """How often is waited for all that is queued, where the debug mode does not tell: [count]. An event that operations followed is none."""
    calls, recorded = [0], {}
    plain = torch.cuda.synchronize, torch.cuda.Event.synchronize, torch.cuda.Event.record
    with Queued() if "Event(" in body and ".synchronize()" in body else contextlib.nullcontext() as queued:

        def fence(*args):
            calls[0] += 1
            return plain[0](*args)

        def fence_of(event):
            calls[0] += id(event) in recorded and not (queued and queued.count > recorded[id(event)])
            return plain[1](event)

        def record(event, *args):
            recorded[id(event)] = queued.count if queued else 0
            return plain[2](event, *args)
        torch.cuda.synchronize, torch.cuda.Event.synchronize, torch.cuda.Event.record = fence, fence_of, record
        try:
            yield calls
        finally:
            torch.cuda.synchronize, torch.cuda.Event.synchronize, torch.cuda.Event.record = plain


def run(body, cpu, held):
    names = prepared(cpu)
    code = compile(body, "body", "exec")
    torch.cuda.synchronize()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        if not cpu:
            torch.cuda.set_sync_debug_mode("default" if held else "warn")
        if held and not cpu:
            torch.cuda._sleep(HELD_CYCLES)
        begun = time.perf_counter()
        with contextlib.nullcontext([0]) if cpu else counted_fences(body) as fences:
            exec(code, names)
        stood = time.perf_counter() - begun
        if not cpu:
            torch.cuda.set_sync_debug_mode("default")
    torch.cuda.synchronize()
    return names, fences[0] + sum("synchroniz" in str(w.message) for w in seen), stood * 1e6, random_state(cpu)


def bits(value):
    """What must be the same of a value: a comparable thing."""
    if isinstance(value, torch.Tensor):
        held = value.detach().cpu().contiguous()
        grad = None if value.grad is None or not value.is_leaf else bits(value.grad)
        return (str(value.dtype), tuple(value.shape), value.stride(), value.requires_grad, held.reshape(-1).view(torch.uint8).numpy().tobytes() if held.numel() else b"", grad)
    if isinstance(value, (list, tuple)):
        return [bits(v) for v in value]
    return repr(value) if isinstance(value, (int, float, bool, str)) else type(value).__name__


def shared(names):
    """Names whose tensors lie in the same memory, in groups."""
    places = {}
    for name, value in names.items():
        if isinstance(value, torch.Tensor) and value.numel():
            places.setdefault((value.device, value.untyped_storage().data_ptr()), set()).add(name)
    return sorted(sorted(group) for group in places.values() if len(group) > 1)


def visible(names):
    return {k: v for k, v in names.items() if not k.startswith(("__", "constant")) and not k.endswith("_once")}


def compare(before, after):
    a, b = visible(before[0]), visible(after[0])
    differ = [k for k in sorted(set(a) | set(b)) if k not in a or k not in b or bits(a[k]) != bits(b[k])]
    if shared(a) != shared(b):
        differ.append("aliases")
    if any(not torch.equal(x, y) for x, y in zip(before[3], after[3])):
        differ.append("random")
    return differ


def row_of(example, cpu):
    known = example.page, example.line, digest_of(example), "unsafe" if example.unsafe else "safe"
    try:
        before, after = (run(body_of(example, body), cpu, False) for body in (example.before, example.after))
        held = [0, 0] if cpu else [run(body_of(example, body), cpu, True)[2] for body in (example.before, example.after)]
        return Row(*known, ",".join(compare(before, after)) or "-", *map(str, (before[1], after[1], round(held[0]), round(held[1]))))
    except Exception as error:  # the table says which, and the others go on
        return Row(*known, f"FAILED {type(error).__name__} {error}"[:120].replace("\n", " ").replace("\t", " "), *"0000")


def main():
    out, cpu = sys.argv[1], "--cpu" in sys.argv
    stand_in_for_wandb()
    if cpu:
        on_cpu()
    wrong = 0
    with open(out, "w") as file:
        print(*Row._fields, sep="\t", file=file)
        for example in examples():
            if example.after is None:
                continue
            row = row_of(example, cpu)
            print(*row, sep="\t", file=file, flush=True)
            wrong += row.differs.startswith("FAILED") or (row.differs != "-" and not example.unsafe) if cpu else not is_shown(row)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
