"""What a run on one file and what it imports costs (--no-project): each file that matches is analysed in a process of its own, without
the cache.

    python3 tests/bench/one_file.py FOLDER [--name GLOB] [--every N] [--threads N]

Prints CPU time (user and system), wall time and the neighbours read: median, 95th percentile and the worst with its file.
CPU time is the one to quote of a machine that others use. SYNCL is the program, build/syncl if it is not set."""
import argparse, json, os, pathlib, subprocess, sys, time


def run(syncl, file, threads):
    command = [syncl, "--isolated", "--no-cache", "--no-project", "--exit-zero", "--output-format=json", f"--threads={threads}", str(file)]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    summary = json.loads(process.stdout.read())["summary"]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - began
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, summary["neighbours"], summary["unread"]


def row(name, unit, values, files):
    order = sorted(range(len(values)), key=values.__getitem__)
    median, high, worst = order[len(order) // 2], order[int(len(order) * 0.95)], order[-1]
    digits = 3 if unit == "s" else 0
    print(f"{name:<12} median {values[median]:.{digits}f}  95 % {values[high]:.{digits}f}  "
          f"worst {values[worst]:.{digits}f} {unit} ({files[worst]})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--name", default="*.py")
    parser.add_argument("--every", type=int, default=1, help="one in so many of the files, in path order")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    syncl = os.environ.get("SYNCL", "build/syncl")
    files = sorted(options.folder.rglob(options.name))[:: options.every]
    if not files:
        sys.exit(f"no {options.name} below {options.folder}")
    rows = [run(syncl, file, options.threads) for file in files]
    print(f"{len(files)} files, {options.threads} threads at most")
    shown = [file.relative_to(options.folder) for file in files]
    for at, (name, unit) in enumerate([("CPU", "s"), ("wall", "s"), ("memory", "MB"), ("neighbours", "files"), ("unread", "definitions")]):
        row(name, unit, [row[at] for row in rows], shown)


main()
