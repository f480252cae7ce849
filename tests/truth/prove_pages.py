#!/usr/bin/env python3
"""Show on a GPU what the pages that are no wait say: clocks that lie, bytes read too early, switches that stay on.

    python3 tests/truth/prove_pages.py tests/truth/proofs.tsv [PAGE ...]     (part of `make truth`)

One row a line that a page's claim is about: `shown` if the GPU did what the marked line says, `not` if it did not. A
marked line must be shown, an unmarked one not. How, by what the page looks for:
    clock     a spin stands for the work that a line queues: is it still under way when a later line reads the clock?
    value     the block runs with a spin before each line in turn, and once with a synchronisation before each: other values?
    freed     four turns while the main stream is held, with new data each: is the first turn's result still its own?
    copy      16 MB of the same kind of memory, copied behind a spin: does the host wait?  (pinned: is the copy a new block?)
    switch    a process of its own for each line, which then times what the switch slows down behind a spin
    anomaly   a backward pass behind a spin, after each line
    capture   a process of its own: which line raised?
    compiled  a process of its own: did torch.compile cut the function?
"""
import ast
import concurrent.futures
import contextlib
import io
import os
import re
import subprocess
import sys
import time
import traceback
import warnings

import pages
import run_pages

SPIN_S = 0.02
COLUMNS = "page section block line proof verdict measured torch gpu statement".split()
class Hooks:
    """before(n) and after(n) around each line of a block; a spin before `target`, or (settle) an empty queue before all."""

    def __init__(self, meters, target=None, settle=False):
        self.meters, self.target, self.settle, self.queued = meters, target, settle, False
        self.open, self.order = [], []

    @property
    def line(self):
        return self.open[-1] if self.open else 0

    def before(self, n):
        if self.settle:
            self.meters.torch.cuda.synchronize()
        if n == self.target and not self.queued:
            self.meters.spin(SPIN_S)
            self.queued = True
        self.open.append(n)

    def after(self, n):
        while self.open and n in self.open:
            self.order.append(self.open.pop())
            if self.order[-1] == n:
                self.left(n)
                return

    def left(self, n):
        pass


def execute(code, names, hooks):
    names.update(_before=hooks.before, _after=hooks.after)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code, names)


# ---- clock ----

class Clocks(Hooks):
    """Notes each reading of a clock in the block: the line, its value, whether the GPU was still at work."""

    def __init__(self, page, *args):
        super().__init__(*args)
        self.page, self.readings = page, []

    def reading(self, clock):
        value = clock()
        if sys._getframe(2).f_code.co_filename == self.page:
            self.readings.append((self.line, value, not self.meters.torch.cuda.current_stream().query()))
        return value

    @contextlib.contextmanager
    def patched(self):
        kept = {name: getattr(time, name) for name in ("time", "perf_counter", "monotonic", "process_time")}
        try:
            for name, clock in kept.items():
                setattr(time, name, lambda clock=clock: self.reading(clock))
            yield
        finally:
            for name, clock in kept.items():
                setattr(time, name, clock)


def lines_that_launch(code, names, meters):
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
    torch, hooks, launching = meters.torch, Hooks(meters), set()

    class Seen(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            if any(isinstance(leaf, torch.Tensor) and leaf.is_cuda for leaf in tree_leaves((args, out))):
                launching.add(hooks.line)
            return out

    with Seen():
        execute(code, names, hooks)
    return launching


def prove_clock(block, code, names, meters):
    torch, seen, said = meters.torch, {}, {}
    launching = lines_that_launch(code, names, meters)
    for target in sorted(launching):
        torch.cuda.synchronize()
        hooks = Clocks(block.page, meters, target)
        with hooks.patched():
            execute(code, names, hooks)
        torch.cuda.synchronize()
        for at, (line, value, busy) in enumerate(hooks.readings):
            busy = busy and line > target
            seen[line] = seen.get(line, False) or busy
            if busy:
                others = [v for other, v, _ in hooks.readings if other != line]
                told = "" if not others else f", the clock tells {abs(value - others[-1 if at else 0]) * 1e6:.0f} us"
                said[line] = f"{SPIN_S * 1e6:.0f} us of GPU work queued by line {target} are under way{told}"
    return {line: (busy, said.get(line, "the GPU is done")) for line, busy in seen.items()}


# ---- value ----

class Values(Hooks):
    """Keeps what each line binds: of host values a copy as they are now, of GPU tensors the tensor."""

    def __init__(self, bound, names, *args):
        super().__init__(*args)
        self.bound, self.names, self.kept, self.on_gpu = bound, names, {}, set()

    def left(self, n):
        for name in self.bound.get(n, ()):
            value = self.names.get(name)
            if isinstance(value, self.meters.torch.Tensor):
                self.kept.setdefault(n, []).append(value.detach() if value.is_cuda else value.clone())  # not its graph
                self.on_gpu |= {n} if value.is_cuda else set()
            elif isinstance(value, (int, float, list)) or hasattr(value, "__array__"):
                self.kept.setdefault(n, []).append(value.copy() if hasattr(value, "copy") else value)

    def finished(self):
        torch = self.meters.torch
        torch.cuda.synchronize()
        return {n: [torch.as_tensor(v).detach().float().cpu().clone() for v in values] for n, values in self.kept.items()}


def bindings(block):
    numbers = {index + 1: n for n, (index, _) in enumerate(pages.code_lines(block.lines), 1)}
    out = {}
    for node in ast.walk(ast.parse("\n".join(block.lines))):
        if isinstance(node, ast.Assign):
            out.setdefault(numbers[node.lineno], set()).update(pages.bound_by(node))
    return out


def wrong_elements(ours, truth):
    """How many elements differ, of how many."""
    pairs = [(a, b) for a, b in zip(ours, truth) if a.shape == b.shape]
    return sum(int((~a.isclose(b, rtol=1e-3, atol=1e-3)).sum()) for a, b in pairs), sum(b.numel() for _, b in pairs)


def new_data(names, meters):
    meters.torch.cuda.synchronize()
    for name in ("x", "y", "xc", "xp"):
        names[name].add_(1.0)
    meters.torch.cuda.synchronize()


def prove_value(block, code, names, meters):
    lines, bound, result = pages.numbered(block), bindings(block), {}
    checked = {n for n, (_, _, marked) in lines.items() if marked} | {max(bound, default=0)}
    for _ in range(2):
        execute(code, names, Values(bound, names, meters, None, True))
    for target in [*lines, *lines]:  # a new page-locked block waits for the GPU: the first go may allocate one
        new_data(names, meters)
        held = Values(bound, names, meters, target)
        execute(code, names, held)
        held = held.finished()
        settled = Values(bound, names, meters, None, True)
        execute(code, names, settled)
        truth = settled.finished()
        for n in (checked | settled.on_gpu) & set(truth):
            wrong, of = wrong_elements(held.get(n, []), truth[n])
            if wrong or n not in result:
                result[n] = (wrong > 0, f"{wrong} of {of} elements wrong" + (f" behind a spin before line {target}" if wrong else ""))
    return result


def prove_freed(block, code, names, meters):
    lines, bound, result = pages.numbered(block), bindings(block), {}
    marked = [n for n, (_, _, is_marked) in lines.items() if is_marked] or [max(bound)]
    for _ in range(4):
        execute(code, names, Values(bound, names, meters, None, True))
    for target in marked:
        new_data(names, meters)
        at_first = names["xp"].clone()
        first = Values({target: bound[target]}, names, meters, target)  # nothing else is kept alive
        execute(code, names, first)
        for _ in range(3):
            names["stream"].synchronize()
            names["xp"].add_(1.0)
            execute(code, names, Hooks(meters))
        first = first.finished()
        names["xp"].copy_(at_first)
        settled = Values(bound, names, meters, None, True)
        execute(code, names, settled)
        wrong, of = wrong_elements(first.get(target, []), settled.finished().get(target, []))
        result[target] = (wrong > 0, f"{wrong} of {of} elements wrong after three more turns")
    return result


# ---- copies from the host ----

def host_us(meters, work):
    """Of work() behind a spin."""
    work()
    meters.torch.cuda.synchronize()
    meters.spin(SPIN_S)
    started = time.perf_counter()
    work()
    took = (time.perf_counter() - started) * 1e6
    meters.torch.cuda.synchronize()
    return took


def prove_copy(block, code, names, meters):
    """Each copy with non_blocking=True, once more with 16 MB of the same kind of memory."""
    torch, hooks, result = meters.torch, Hooks(meters), {}
    large = {False: torch.zeros(1 << 22), True: torch.zeros(1 << 22).pin_memory()}
    methods = {name: getattr(torch.Tensor, name) for name in ("to", "cuda")}

    def noted(method):
        def call(self, *args, **kwargs):
            if kwargs.get("non_blocking") and not self.is_cuda and self.numel() and hooks.line and hooks.line not in result:
                pinned = self.is_pinned()
                took = host_us(meters, lambda: method(large[pinned], torch.device("cuda"), non_blocking=True))
                small = self.dim() == 1  # a few numbers: nothing that could be 16 MB
                result[hooks.line] = (took > SPIN_S / 2 * 1e6 and not small,
                                      f"{'pinned' if pinned else 'pageable'}: 16 MB take {took:.0f} us of the host behind {SPIN_S * 1e6:.0f} us")
            return method(self, *args, **kwargs)
        return call

    try:
        for name, method in methods.items():
            setattr(torch.Tensor, name, noted(method))
        execute(code, names, hooks)
    finally:
        for name, method in methods.items():
            setattr(torch.Tensor, name, method)
    return result


def prove_pinned(block, code, names, meters):
    torch, hooks, result = meters.torch, Hooks(meters), {}
    method = torch.Tensor.pin_memory

    def noted(self, *args, **kwargs):
        started = time.perf_counter()
        out = method(self, *args, **kwargs)
        took, fresh = (time.perf_counter() - started) * 1e6, out.data_ptr() != self.data_ptr()
        result.setdefault(hooks.line, (fresh, f"{'a new copy' if fresh else 'the tensor itself'}, {took:.0f} us"))
        return out

    try:
        torch.Tensor.pin_memory = noted
        execute(code, names, hooks)
    finally:
        torch.Tensor.pin_memory = method
    return result


# ---- switches ----

PROBES = {
    "launch-blocking": """
torch.cuda._sleep(1000); torch.cuda.synchronize()
t = time.perf_counter(); torch.cuda._sleep(40_000_000); queued = time.perf_counter() - t
torch.cuda.synchronize(); done = time.perf_counter() - t
print("RESULT", queued > done / 2, f"queueing a spin of {done * 1e6:.0f} us took {queued * 1e6:.0f} us")
""",
    "memory-caching-off": """
x = torch.zeros(1 << 22, device="cuda"); del x; x = torch.zeros(1 << 22, device="cuda"); torch.cuda._sleep(1000); torch.cuda.synchronize()
torch.cuda._sleep(40_000_000)
t = time.perf_counter(); del x; freed = time.perf_counter() - t
torch.cuda.synchronize(); done = time.perf_counter() - t
print("RESULT", freed > done / 2, f"freeing 16 MB behind a spin of {done * 1e6:.0f} us took {freed * 1e6:.0f} us")
""",
    "nccl-blocking-wait": """
import tempfile, torch.distributed as dist
torch.cuda.set_device(0)
dist.init_process_group("nccl", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
x = torch.ones(1024, device="cuda")
for _ in range(3): dist.all_reduce(x)
torch.cuda.synchronize()
torch.cuda._sleep(40_000_000)
work = dist.all_reduce(x, async_op=True)
t = time.perf_counter(); work.wait(); waited = time.perf_counter() - t
torch.cuda.synchronize(); done = time.perf_counter() - t
print("RESULT", waited > done / 2, f"work.wait() behind a spin of {done * 1e6:.0f} us took {waited * 1e6:.0f} us")
os._exit(0) if sys.stdout.flush() is None else None
"""}
QUIET_NAMES = ("CUDA_LAUNCH_BLOCKING", "PYTORCH_NO_CUDA_MEMORY_CACHING", "TORCH_NCCL_BLOCKING_WAIT", "NCCL_BLOCKING_WAIT")


def in_a_process(source, seconds=100):
    """Returns what it printed behind RESULT (True or False and words), or None and its last line."""
    env = {k: v for k, v in os.environ.items() if k not in QUIET_NAMES + ("LD_PRELOAD",)}
    try:
        run = subprocess.run([sys.executable, "-c", source], env=env, cwd=pages.ROOT, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"no end after {seconds} s"
    found = re.search(r"^RESULT (True|False) (.*)$", run.stdout, re.M)
    if not found:
        return None, (run.stderr.strip().split("\n") or [""])[-1][:150]
    return found[1] == "True", found[2]


def switch_sources(block):
    """n -> a program that sets what this line sets, before torch is there, and measures."""
    probe = "\nimport sys, time, torch\n" + PROBES[pages.rule_of(block)]
    if block.section == "Instead":
        return {1: "import os\n" + "\n".join(block.lines) + probe}
    return {n: f"import os\n{code}{probe}" for n, (_, code, _) in pages.numbered(block).items()}


def prove_apart(sources):
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        return dict(zip(sources, pool.map(in_a_process, sources.values())))


def prove_switch(block, code, names, meters):
    return prove_apart(switch_sources(block))


# ---- anomaly mode, graphs ----

class Backwards(Hooks):
    def __init__(self, names, *args):
        super().__init__(*args)
        self.names, self.waited = names, {}

    def left(self, n):
        names, torch = self.names, self.meters.torch
        for _ in range(2):
            loss = names["F"].cross_entropy(names["model"](names["x"]), names["labels"])
            torch.cuda.synchronize()
            self.meters.spin(SPIN_S)
            started = time.perf_counter()
            loss.backward()
            took = (time.perf_counter() - started) * 1e6
            torch.cuda.synchronize()
        self.waited[n] = (took > SPIN_S / 2 * 1e6, f"a backward pass behind {SPIN_S * 1e6:.0f} us takes {took:.0f} us of the host")


def prove_anomaly(block, code, names, meters):
    hooks = Backwards(names, meters)
    try:
        execute(code, names, hooks)
    finally:
        meters.torch.autograd.set_detect_anomaly(False)
    waits = {n for n, (index, _, _) in pages.numbered(block).items() if "# once" in block.lines[index]}
    return {n: result for n, result in hooks.waited.items() if n not in waits}


APART = """
import ast, os, sys, types, warnings
sys.path.insert(0, "tests/truth")
import pages
warnings.simplefilter("ignore")
block = next(b for b in pages.blocks({page!r}) if b.line == {line})
example = types.ModuleType("example")  # torch.compile looks globals up in their module
sys.modules["example"], names = example, vars(example)
names["step"] = 0
exec(compile(pages.read("rules/prelude.py"), "rules/prelude.py", "exec"), names)
tree = ast.parse("\\n".join(block.lines))
while any(isinstance(node, ast.Try) for node in tree.body):
    tree.body = [part for node in tree.body for part in (node.body if isinstance(node, ast.Try) else [node])]
code = compile(tree, "the block", "exec")
"""
CAPTURE = APART + """
at, words = 0, "every line ran, and the replay too"
try:
    exec(code, names)
    names["torch"].cuda.synchronize()
except Exception as error:
    words, trace = type(error).__name__ + ": " + str(error).split("\\n")[0][:100], error.__traceback__
    error = error.__context__ or error
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            at = trace.tb_lineno if trace.tb_frame.f_code.co_filename == "the block" else at
            trace = trace.tb_next
        words, error = str(error).split("\\n")[0][:100] or words, error.__context__
print("RESULT", at > 0, at, words)
sys.stdout.flush()
os._exit(0)
"""
COMPILED = APART + """
torch, made = names["torch"], names["torch"].compile
def compiled(model=None, *, mode=None, backend=None, **kwargs):
    return made(model, backend="eager", **kwargs) if model is not None else (lambda f: made(f, backend="eager", **kwargs))
torch.compile = compiled
import torch._dynamo.utils as utils
exec(code, names)
breaks = sum(utils.counters["graph_break"].values())
print("RESULT", breaks > 0, 0, breaks, "graph breaks:", "; ".join(k.split("\\n")[0][:80] for k in utils.counters["graph_break"]) or "none")
"""


def prove_graph(block, program):
    """The line is told by the program (0: the first marked one, or the last)."""
    lines = pages.numbered(block)
    shown, words = in_a_process(program.format(page=block.page, line=block.line))
    if shown is None:
        return {0: (None, words)}
    at, _, words = words.partition(" ")
    of_page = {index + 1: n for n, (index, _) in enumerate(pages.code_lines(block.lines), 1)}
    marked = [n for n, (_, _, is_marked) in lines.items() if is_marked]
    return {of_page.get(int(at)) or (marked + [max(lines)])[0]: (shown, words)}


PROVERS = {"clock": prove_clock, "value": prove_value, "freed": prove_freed, "copy": prove_copy, "pinned": prove_pinned,
           "switch": prove_switch, "anomaly": prove_anomaly,
           "capture": lambda block, *_: prove_graph(block, CAPTURE), "compiled": lambda block, *_: prove_graph(block, COMPILED)}


def prove(block, prelude, meters):
    way = pages.way(block)
    apart = way in ("switch", "capture", "compiled")
    code = None if apart else run_pages.watched_code(block)
    names = {} if apart else run_pages.fresh_names(prelude)
    if way == "clock":
        execute(code, names, Hooks(meters))
    return PROVERS[way](block, code, names, meters)


def rows_of(block, prelude, meters, device):
    lines, digest = pages.numbered(block), pages.digest(block, prelude)
    try:
        result = prove(block, prelude, meters)
    except Exception:
        result = {0: (None, traceback.format_exc().strip().split("\n")[-1][:150])}
    for n, (shown, words) in sorted(result.items()) or [(0, (False, "nothing here that could be"))]:
        verdict = {True: "shown", False: "not", None: "failed"}[shown]
        if shown is None:
            print(f"{block.page}:{block.line}: {words}", file=sys.stderr)
        yield [block.page, block.section, digest, n, pages.way(block), verdict, words.replace("\t", " "), *device, lines.get(n, (0, "", 0))[1]]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    import torch
    if not torch.cuda.is_available():
        sys.exit("make truth: no GPU here")
    meters = run_pages.Meters(torch)
    device, prelude, started, count = (torch.__version__, torch.cuda.get_device_name(0)), pages.read("rules/prelude.py"), time.time(), 0
    with open(sys.argv[1], "w") as file:
        print(*COLUMNS, sep="\t", file=file)
        for page in pages.pages():
            if len(sys.argv) > 2 and not any(word in page for word in sys.argv[2:]):
                continue
            for block in pages.blocks(page):
                if pages.is_shown(block):
                    for row in rows_of(block, prelude, meters, device):
                        print(*row, sep="\t", file=file, flush=True)
                        count += 1
    print(f"{count} proofs in {time.time() - started:.0f} s: {sys.argv[1]}")


if __name__ == "__main__":
    main()
