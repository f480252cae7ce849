#!/usr/bin/env python3
"""How time and memory grow with the code: 1, 4 and 16 times as much of it, as more files, as one longer file, and as more
callers of the same functions. Prints CPU seconds (the least of several runs), peak memory, and what a thousand lines
more take from 1x to 4x and from 4x to 16x: linear growth has the same number twice. Exit 1 where the second is more than
a tenth above the first (--check)."""
import os, pathlib, resource, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = (ROOT / os.environ.get("BUILD", "build")).resolve() / "syncl"
RUNS = int(os.environ.get("RUNS", "5"))
SCRIPTS = sorted((ROOT / "corpus/scripts").glob("*.py"))
SIZES = (1, 4, 16)

TRAIN = """
def train{i}(model, loader, optimizer):
    total = 0.0
    for step, (x, y) in enumerate(loader):
        x, y = x.to("cuda", non_blocking=True), y.to("cuda")
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        if step % 100 == 0:
            print(step, loss, total)
    return total / len(loader)
"""


def files(folder, times):
    """The scripts of the corpus, over and over."""
    for i in range(2 * times):
        for script in SCRIPTS:
            target = folder / f"part{i}" / script.name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(script.read_bytes())


def length(folder, times):
    """One file with more and more functions."""
    (folder / "long.py").write_text("import torch\n" + "".join(TRAIN.format(i=i) for i in range(250 * times)))


def callers(folder, times):
    """Scripts that all train with the same module's functions."""
    (folder / "common.py").write_text("import torch\n" + "".join(TRAIN.format(i=i) for i in range(20)))
    for i in range(50 * times):
        (folder / f"script{i}.py").write_text(
            "import torch, common\nmodel = torch.nn.Linear(8, 8).cuda()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
            "loader = torch.utils.data.DataLoader([], batch_size=8)\n" + "".join(f"print(common.train{n}(model, loader, optimizer))\n" for n in range(20)))


def measured(folder):
    """CPU seconds and peak KiB of a run."""
    words = [PROGRAM, "--isolated", "--exit-zero", "--output-format=concise", "--no-respect-gitignore", folder]
    seconds, peak = [], []
    for _ in range(RUNS):
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
        if status:
            sys.exit(f"{folder}: exit status {status}")
        seconds.append(used.ru_utime + used.ru_stime)
        peak.append(used.ru_maxrss)
    return min(seconds), min(peak)


def main():
    worst = 0
    for make in (files, length, callers):
        rows = []
        for times in SIZES:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                make(folder, times)
                lines = sum(len(p.read_bytes().splitlines()) for p in folder.rglob("*.py"))
                rows.append((lines, *measured(folder)))
        slopes = [[(b[k] - a[k]) / (b[0] - a[0]) * 1000 for a, b in zip(rows, rows[1:])] for k in (1, 2)]
        print(f"{make.__name__}: {make.__doc__}")
        for times, (lines, seconds, peak) in zip(SIZES, rows):
            print(f"  {times:2}x {lines:7} lines {seconds:8.3f} s {peak / 1024:8.1f} MiB")
        print(f"  1,000 lines more: {slopes[0][0] * 1000:.2f}, then {slopes[0][1] * 1000:.2f} ms; {slopes[1][0]:.0f}, then {slopes[1][1]:.0f} KiB", flush=True)
        worst = max(worst, slopes[0][1] / slopes[0][0], slopes[1][1] / slopes[1][0])
    if "--check" in sys.argv and worst > 1.1:
        sys.exit(f"grows {worst:.2f} times as fast from 4x to 16x as from 1x to 4x")


main()
