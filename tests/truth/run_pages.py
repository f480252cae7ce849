#!/usr/bin/env python3
"""Run every example of the rule pages on a GPU, a spin kernel queued before each line in turn.

    make truth          (python3 tests/truth/run_pages.py tests/truth/pages.tsv, then check_pages.py)

Needs a CUDA GPU, torch and the libraries that the examples import; with a C compiler (or TRUTH_SHIM=waits_shim.so) the
runtime's waiting calls and copied bytes are counted too. One row a line of an example:
    then        the line on which the host first stood still while the spin ran: `line` itself if it waits, - if none did
    reads       warnings of torch.cuda.set_sync_debug_mode within the line
    runtime     calls of the CUDA runtime that wait; to_host, to_device: bytes that crossed the bus
    behind_us   host time of the line behind the spin; idle_us: with nothing queued
"""
import ast
import contextlib
import ctypes
import io
import logging
import os
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

import pages

SHIM = "TRUTH_SHIM"
SYNC_TEXT = "called a synchronizing CUDA operation"
WARM_UPS, TRIES = 2, 3
LEAST_SPIN_S, MOST_SPIN_S = 0.004, 0.12


class Meters:
    """What has been counted so far: seconds, warnings, waiting calls, bytes to the host, bytes to the device."""

    def __init__(self, torch):
        self.torch, self.caught, self.counts = torch, [], [0, 0, 0]
        try:
            self.shim = ctypes.CDLL(os.environ[SHIM]) if os.environ.get(SHIM) else None
        except OSError as error:
            print(f"not counted, waiting calls and bytes: {error}", file=sys.stderr)
            self.shim = None
        self.cycles_per_s = self.measure_spin()

    def measure_spin(self):
        cuda, cycles = self.torch.cuda, 20_000_000
        cuda._sleep(1000)
        start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        start.record()
        cuda._sleep(cycles)
        end.record()
        cuda.synchronize()
        return cycles / start.elapsed_time(end) * 1000

    def spin(self, seconds):
        self.torch.cuda._sleep(int(self.cycles_per_s * seconds))

    def read(self):
        if self.shim:
            taken = (ctypes.c_longlong * 3)()
            self.shim.truth_take_counts(taken)
            self.counts = [a + b for a, b in zip(self.counts, taken)]
        reads = sum(SYNC_TEXT in str(w.message) for w in self.caught)
        return [time.perf_counter(), reads, *self.counts]


class Watch:
    """One run of a block. before(n) and after(n) stand around line n; what a line called is not counted as its own."""

    def __init__(self, meters, target=None, spin_s=0.0, settle=False):
        self.meters, self.target, self.spin_s, self.settle = meters, target, spin_s, settle
        self.open, self.done, self.queued = [], [], target is None

    def before(self, n):
        entered = self.meters.read()
        if self.settle or (n == self.target and not self.queued):
            self.meters.torch.cuda.synchronize()
        if n == self.target and not self.queued:
            self.meters.torch.cuda.set_sync_debug_mode("warn")
            self.meters.spin(self.spin_s)
            self.queued, self.done = True, []
        started = self.meters.read()
        if self.open:
            self.open[-1][2] = [a + b - c for a, b, c in zip(self.open[-1][2], started, entered)]
        self.open.append([n, started, [0] * 5])

    def after(self, n):
        while self.open and any(entry[0] == n for entry in self.open):
            line, started, nested = self.open.pop()
            total = [a - b for a, b in zip(self.meters.read(), started)]
            if self.open:
                self.open[-1][2] = [a + b for a, b in zip(self.open[-1][2], total)]
            self.done.append((line, [a - b for a, b in zip(total, nested)]))
            if line == n:
                return


def call(name, n):
    return ast.Expr(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(n)], []))


def watched_body(body, numbers):
    """The statements with _before(n) and _after(n) around every line; a header's _after stands first in its body."""
    out, at = [], 0
    while at < len(body):
        node, same = body[at], [s for s in body[at:] if s.lineno == body[at].lineno]
        at += len(same)
        inner = [name for name in ("body", "orelse", "finalbody", "handlers") if getattr(node, name, None)]
        one_line = not inner or getattr(node, inner[0])[0].lineno == node.lineno
        n = numbers[node.lineno]
        if one_line:
            out += [call("_before", n), *same, call("_after", n)]
            continue
        for name in inner:
            parts = getattr(node, name)
            if name == "handlers":
                for handler in parts:
                    handler.body = watched_body(handler.body, numbers)
            else:
                setattr(node, name, watched_body(parts, numbers))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Try)):
            out.append(node)
            continue
        node.body.insert(0, call("_after", n))
        out += [call("_before", n), node, call("_after", n)]
    return out


def watched_code(block):
    lines = pages.code_lines(block.lines)
    numbers = {index + block.line: n for n, (index, _) in enumerate(lines, 1)}
    tree = ast.parse("\n" * (block.line - 1) + "\n".join(block.lines))  # so that lines are the page's
    tree.body = watched_body(tree.body, numbers)
    return compile(ast.fix_missing_locations(tree), block.page, "exec")


def fresh_names(prelude):
    logging.getLogger("train").handlers.clear()
    names = {"__name__": "example"}
    exec(compile(prelude, "rules/prelude.py", "exec"), names)
    loss = names["F"].cross_entropy(names["model"](names["x"]), names["labels"])
    names["scaler"].scale(loss)
    names["step"] = 0
    return names


def run_once(code, names, watch):
    names.update(_before=watch.before, _after=watch.after)
    torch = watch.meters.torch
    torch.set_grad_enabled(True)
    try:
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("always")
            watch.meters.caught = caught
            exec(code, names)
    finally:
        torch.cuda.set_sync_debug_mode(0)
        watch.meters.caught = []
    torch.cuda.synchronize()
    return watch.done


def where_it_stood(done, spin_s):
    return next((str(line) for line, meter in done if meter[0] > spin_s / 2), "-")


def agrees(block, row, hasty=frozenset(pages.hastes())):
    """As check_pages.py judges it; a disagreement is tried again, since the host may have been disturbed."""
    said = {n: pages.promise(block.section, block.lines[i], hasty) for n, (i, _) in enumerate(pages.code_lines(block.lines), 1)}
    if said[row.line] == "waits":
        return row.then == str(row.line)
    return row.then == "-" or said[int(row.then)] != "quiet"


def measure_line(code, names, meters, target, idle):
    """idle: (line, seconds) of every line of a run with nothing queued, in order."""
    first = next(i for i, (line, _) in enumerate(idle) if line == target)
    spin_s = min(max(3 * sum(s for _, s in idle[first:]) + 0.003, LEAST_SPIN_S), MOST_SPIN_S)
    done = run_once(code, names, Watch(meters, target, spin_s))
    own = next(meter for line, meter in done if line == target)
    return where_it_stood(done, spin_s), own, idle[first][1]


def run_block(block, prelude, meters, device):
    code, names = watched_code(block), fresh_names(prelude)
    for _ in range(WARM_UPS):
        run_once(code, names, Watch(meters))
    idle = [(line, meter[0]) for line, meter in run_once(code, names, Watch(meters, settle=True))]
    known = pages.digest(block, prelude)
    for n, (_, statement) in enumerate(pages.code_lines(block.lines), 1):
        if all(line != n for line, _ in idle):
            continue
        for _ in range(TRIES):
            then, own, idle_s = measure_line(code, names, meters, n, idle)
            row = pages.Row(block.page, block.section, known, n, then, own[1], own[2], own[3], own[4],
                            round(own[0] * 1e6), round(idle_s * 1e6), *device, statement.strip())
            if agrees(block, row):
                break
        yield row


def run_plainly(block, prelude, torch, device):
    """An example that leaves something behind, a switch or a graph: it must run, twice; prove_pages.py does the rest."""
    kept = dict(os.environ)
    names = fresh_names(prelude)
    code = compile("\n" * (block.line - 1) + "\n".join(block.lines), block.page, "exec")
    started = time.perf_counter()
    try:
        for _ in range(2):
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(code, names)
            torch.cuda.synchronize()
    finally:
        torch.autograd.set_detect_anomaly(False)
        os.environ.clear()
        os.environ.update(kept)
    took_us = round((time.perf_counter() - started) / 2 * 1e6)
    return pages.Row(block.page, block.section, pages.digest(block, prelude), 0, "ran", 0, 0, 0, 0, took_us, took_us,
                     *device, "")


def raised(block, prelude, device):
    said = traceback.format_exc().strip().split("\n")[-1].replace("\t", " ")[:150]
    print(f"{block.page}:{block.line}: {said}", file=sys.stderr)
    return pages.Row(block.page, block.section, pages.digest(block, prelude), 0, "raises", 0, 0, 0, 0, 0, 0, *device, said)


def with_shim():
    """The shim must be there before CUDA is: build it and start again."""
    if SHIM in os.environ:
        return
    folder = tempfile.mkdtemp()
    shim = os.path.join(folder, "waits_shim.so")
    source = os.path.join(pages.ROOT, "tests", "truth", "waits_shim.c")
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"], check=True)
    except (OSError, subprocess.CalledProcessError):
        shim = ""
    os.environ.update({SHIM: shim, "LD_PRELOAD": shim})
    os.execv(sys.executable, [sys.executable] + sys.argv)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with_shim()
    try:
        import torch
    except ImportError:
        sys.exit("make truth: no torch here")
    if not torch.cuda.is_available():
        sys.exit("make truth: no GPU here")
    out = os.path.abspath(sys.argv[1])
    meters = Meters(torch)
    device = (torch.__version__, torch.cuda.get_device_name(0))
    torch.cuda.set_sync_debug_mode("warn")  # its first use warns of itself
    torch.cuda.set_sync_debug_mode(0)
    prelude, rows, started = pages.read("rules/prelude.py"), [], time.time()
    chosen = [p for p in pages.pages() if len(sys.argv) < 3 or any(word in p for word in sys.argv[2:])]
    blocks = [block for page in chosen for block in pages.blocks(page) if not block.not_run]
    for block in sorted(blocks, key=lambda b: pages.way(b) in pages.NOT_TIMED):
        try:
            if pages.way(block) not in pages.NOT_TIMED:
                rows += run_block(block, prelude, meters, device)
            else:
                rows.append(run_plainly(block, prelude, torch, device))
        except Exception:
            rows.append(raised(block, prelude, device))
        pages.write_rows(out, rows)
    print(f"{len(rows)} lines in {time.time() - started:.0f} s: {out}")


if __name__ == "__main__":
    main()
