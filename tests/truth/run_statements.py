#!/usr/bin/env python3
"""Time single statements behind a held GPU: does the host wait?

    python3 tests/truth/run_statements.py rules/measured-h200.tsv [SECONDS]    # on a GPU machine

Takes tests/truth/statements.txt (`set-up ;; statement` a line, `# group` above them) and adds a row to the table for
each statement that it does not hold yet, until SECONDS have passed. The set-up and what it needs of rules/prelude.py
run before each go, outside of the clock. `raises` rows say how; they are evidence too (of what a value cannot be).
"""
import ast
import contextlib
import io
import os
import sys
import time
import warnings

import pages

SYNC_TEXT = "called a synchronizing CUDA operation"
COLUMNS = "group set_up statement waits debug_mode_warnings behind_4ms_us idle_us note".split()
SPIN_S, WAITED_S, GOES = 0.004, 0.0024, 2


def statements():
    group = ""
    for line in pages.read("tests/truth/statements.txt").split("\n"):
        if line.startswith("# "):
            group = line[2:].strip()
        elif line.strip():
            set_up, _, statement = line.rpartition(";;")
            yield group, set_up.strip(), statement.strip()


class Bench:
    def __init__(self, torch):
        self.torch, self.prelude = torch, pages.read("rules/prelude.py")
        cuda, cycles = torch.cuda, 20_000_000
        cuda._sleep(1000)
        start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        start.record()
        cuda._sleep(cycles)
        end.record()
        cuda.synchronize()
        self.spin_cycles = int(cycles / start.elapsed_time(end) * SPIN_S * 1000)

    def names(self, set_up, statement):
        """Of the prelude only what the statement leads to, with the imports."""
        torch = self.torch
        torch.set_grad_enabled(True)
        torch.autograd.set_detect_anomaly(False)
        torch.distributions.Distribution.set_default_validate_args(True)
        names, tree = {}, ast.parse(set_up + "\n" + statement)
        exec(compile(pages.needed(tree, self.prelude), "rules/prelude.py", "exec"), names)
        return names

    def go(self, codes, names, spin):
        """Seconds of one go, and its warnings."""
        exec(codes[0], names)
        self.torch.cuda.synchronize()
        if spin:
            self.torch.cuda._sleep(self.spin_cycles)
        started = time.perf_counter()
        exec(codes[1], names)
        return time.perf_counter() - started

    def count_warnings(self, codes, names):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            exec(codes[0], names)
            del caught[:]
            self.torch.cuda.set_sync_debug_mode("warn")
            try:
                exec(codes[1], names)
            finally:
                self.torch.cuda.set_sync_debug_mode(0)
        return sum(SYNC_TEXT in str(w.message) for w in caught)

    def measure(self, set_up, statement):
        """The row's cells from `waits` on."""
        try:
            names = self.names(set_up, statement)
            codes = [compile(text or "pass", "statement", "exec") for text in (set_up, statement)]
            for _ in range(2):
                self.go(codes, names, False)
            warned = self.count_warnings(codes, names)
            behind = min(self.go(codes, names, True) for _ in range(GOES))
            idle = min(self.go(codes, names, False) for _ in range(GOES))
        except Exception as error:
            self.torch.cuda.set_sync_debug_mode(0)
            return "raises", "", "", "", f"{type(error).__name__}: {error}".replace("\n", " ").replace("\t", " ")[:140]
        waits = warned > 0 or (behind > WAITED_S and behind > idle * 1.2)
        if idle > WAITED_S and not warned:  # the statement is as long as the spin: told by what it adds
            waits = behind - idle > SPIN_S / 2
        note = "set_sync_debug_mode is silent" if waits and not warned else ""
        return "yes" if waits else "no", warned, round(behind * 1e6), round(idle * 1e6, 1), note


def still_works(torch):
    """A failed assertion on the device leaves a process without its GPU."""
    try:
        torch.cuda.synchronize()
    except Exception:
        return False
    return True


def main():
    import torch
    path, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1e9
    held = set()
    if os.path.exists(path):
        held = {tuple(line.split("\t")[1:3]) for line in open(path).read().split("\n")[1:] if line}
    else:
        with open(path, "w") as file:
            print(*COLUMNS, sep="\t", file=file)
    bench, started, count = Bench(torch), time.time(), 0
    torch.cuda.set_sync_debug_mode("warn")
    torch.cuda.set_sync_debug_mode(0)
    with open(path, "a") as file:
        for group, set_up, statement in statements():
            if (set_up, statement) in held or time.time() - started > seconds:
                continue
            held.add((set_up, statement))
            with contextlib.redirect_stdout(io.StringIO()):
                row = bench.measure(set_up, statement)
            print(group, set_up, statement, *row, sep="\t", file=file, flush=True)
            count += 1
            if row[0] == "raises" and not still_works(torch):
                os.execv(sys.executable, [sys.executable, sys.argv[0], path, str(seconds - (time.time() - started))])
    print(f"{count} statements in {time.time() - started:.0f} s: {path}")


if __name__ == "__main__":
    main()
