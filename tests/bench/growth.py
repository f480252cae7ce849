#!/usr/bin/env python3
"""How time and memory grow with the code: 1, 4 and 16 times as much of it, as more files, as one longer file, and as more
callers of the same functions. Prints CPU seconds, peak memory, and what a thousand lines more take from 1x to 4x and from
4x to 16x: linear growth has the same number twice. With --instructions valgrind counts instructions instead of seconds,
which are the same on a busy machine. --most=1.5: exit 1 where the second number is more than so many times the first."""
import argparse, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = (ROOT / os.environ.get("BUILD", "build")).resolve() / "syncl"
WORDS = [PROGRAM, "--no-cache", "--isolated", "--exit-zero", "--output-format=concise", "--no-respect-gitignore"]
COUNT = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
SCRIPTS = sorted((ROOT / "corpus/scripts").glob("*.py"))

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
CALLER = """import torch, common
model = torch.nn.Linear(8, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader([], batch_size=8)
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
    for i in range(150 * times):
        calls = "".join(f"print(common.train{n}(model, loader, optimizer))\n" for n in range(20))
        (folder / f"script{i}.py").write_text(CALLER + calls)


def seconds_and_peak(folder, runs):
    seconds, peak = [], []
    for _ in range(runs):
        child = subprocess.Popen([*WORDS, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, child.returncode, used = os.wait4(child.pid, 0)
        if child.returncode:
            sys.exit(f"{folder}: exit status {child.returncode}")
        seconds.append(used.ru_utime + used.ru_stime)
        peak.append(used.ru_maxrss)
    return min(seconds), min(peak)


def billions(folder):
    said = subprocess.run([*COUNT, *WORDS, folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr
    return int(re.search(r"I\s+refs:\s+([\d,]+)", said)[1].replace(",", "")) / 1e9


def grown(make, wanted):
    """Prints the rows; gives how much faster time and memory grow in the end."""
    rows, unit = [], "G instructions" if wanted.instructions else "s"
    for times in wanted.sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make(folder, times)
            lines = sum(len(p.read_bytes().splitlines()) for p in folder.rglob("*.py"))
            time, peak = seconds_and_peak(folder, wanted.runs)
            rows.append((lines, billions(folder) if wanted.instructions else time, peak))
    (time1, time2), (peak1, peak2) = ([(b[k] - a[k]) / (b[0] - a[0]) * 1000 for a, b in zip(rows, rows[1:])] for k in (1, 2))
    print(f"{make.__name__}: {make.__doc__}")
    for times, (lines, time, peak) in zip(wanted.sizes, rows):
        print(f"  {times:2}x {lines:7} lines {time:8.3f} {unit} {peak / 1024:8.1f} MiB")
    print(f"  1,000 lines more: {time1 * 1000:.2f}, then {time2 * 1000:.2f} m{unit} ({time2 / time1:.2f}); "
          f"{peak1 / 1024:.2f}, then {peak2 / 1024:.2f} MiB ({peak2 / peak1:.2f})", flush=True)
    return max(time2 / time1, peak2 / max(peak1, 1024))  # a run begins with memory that small ones do not fill


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs=3, default=(1, 4, 16))
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--most", type=float, default=float("inf"))
    wanted = parser.parse_args()
    worst = max(grown(make, wanted) for make in (files, length, callers))
    if worst > wanted.most:
        sys.exit(f"it grows {worst:.2f} times as fast in the end as in the beginning")


main()
