#!/usr/bin/env python3
"""Times syncl side by side with a bare parse and with other linters, and writes the table into README.md.

usage: bench_others.py [--runs=3] [--no-write] [FOLDER...]

Default folders: ultralytics, monai and flair of corpus/manifest (downloaded once, as by corpus/scan.py), and corpus/.
The folders are copied; the rounds go through all rows in turn, and the table has the medians. What takes longer than
SLOW_S runs once, what takes longer than LIMIT_S is stopped, and said so. The others come from the package index, by the
pins of requirements.txt beside this file, into build/bench-venv; what cannot be had is a row that says so."""
import argparse, collections, os, pathlib, platform, shutil, signal, statistics, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()
SYNCL, VENV, README = BUILD / "syncl", BUILD / "bench-venv", ROOT / "README.md"
PACKAGES = ("ultralytics", "monai", "flair")
SLOW_S, LIMIT_S = 5, 30
BEGIN, END = "<!-- bench: make bench-others -->\n", "<!-- end of bench -->\n"
ITEM_RULE = "rules: [{id: item, languages: [python], severity: WARNING, message: waits, pattern: $X.item()}]\n"

Row = collections.namedtuple("Row", "name commands prepare")
Time = collections.namedtuple("Time", "wall cpu megabytes stopped")


def start(command, folder):
    words = [str(word) for word in command]
    return subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)


def measure(commands, folder):
    """Several commands run at once: the wall is of the last, CPU and memory are sums."""
    begin = time.monotonic()
    processes, cpu, kilobytes, stopped = [start(command, folder) for command in commands], 0.0, 0, False
    signal.alarm(LIMIT_S)
    for process in processes:
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except TimeoutError:
            stopped = True
            os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if not stopped and process.returncode not in (0, 1):
            raise RuntimeError(f"{process.args[0]}: exit {process.returncode}")
        cpu += usage.ru_utime + usage.ru_stime
        kilobytes += usage.ru_maxrss
    signal.alarm(0)
    return Time(time.monotonic() - begin, cpu, kilobytes / 1024, stopped)


def too_long(*_):
    raise TimeoutError


# ---- the rows ----

def sources(folder):
    """What every row reads: no file that syncl would skip for its size."""
    return sorted(path for path in folder.rglob("*.py") if path.stat().st_size <= 8 << 20)


def parse_commands(files):
    """As many processes as cores, each with its share of the bytes."""
    shares = [[0, []] for _ in range(os.cpu_count() or 1)]
    for path in sorted(files, key=lambda path: -path.stat().st_size):
        share = min(shares, key=lambda share: share[0])
        share[0] += path.stat().st_size
        share[1].append(path)
    return [[BUILD / "bench_parse", *names] for _, names in shares if names]


def syncl_rows(folder, scratch, files):
    cache = scratch / "cache"
    base = [SYNCL, "--isolated", "--exit-zero", f"--cache-dir={cache}"]
    reaching = [path for path in files if b"import torch" in path.read_bytes()]
    one = sorted(reaching, key=lambda path: path.stat().st_size)[len(reaching) // 2]

    def forget():
        shutil.rmtree(cache, ignore_errors=True)

    def change():
        with one.open("a") as out:
            out.write("# another line\n")

    return [Row("syncl, first run", [[*base, "."]], forget),
            Row("syncl, nothing changed", [[*base, "."]], None),
            Row("syncl, one file changed", [[*base, "."]], change),
            Row("syncl, one file of the tree, first time", [[*base, one]], None),
            Row("syncl, that file again", [[*base, one]], None),
            Row("syncl, no cache", [[*base, "--no-cache", "."]], None)]


def other_rows(folder, scratch):
    tools = VENV / "bin"
    rule = scratch / "item.yml"
    rule.write_text(ITEM_RULE)
    semgrep = ["scan", "--config", rule, "--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet", "."]
    ruff = ["check", "--isolated", "--quiet", "--exit-zero", f"--cache-dir={scratch / 'ruff'}"]
    return [Row("ruff, no cache", [[tools / "ruff", *ruff, "--no-cache", "."]], None),
            Row("ruff, nothing changed", [[tools / "ruff", *ruff, "."]], None),
            Row("ast-grep, `$X.item()`", [[tools / "ast-grep", "run", "--lang", "python", "--pattern", "$X.item()", "."]], None),
            Row("semgrep, `$X.item()`", [[tools / "semgrep", *semgrep]], None),
            Row("hotpath-ai", [[tools / "hotpath", "analyze", "."]], None),
            Row("torch-preflight", [[tools / "torch-preflight", "check", "."]], None)]


# ---- the run ----

def run(rows, folder, rounds):
    times, once, gone = collections.defaultdict(list), set(), {}
    for _ in range(rounds):
        for row in rows:
            if row.name in once or row.name in gone:
                continue
            if row.prepare:
                row.prepare()
            try:
                taken = measure(row.commands, folder)
            except (OSError, RuntimeError) as why:
                gone[row.name] = f"not measured: {pathlib.Path(str(row.commands[0][0])).name} could not be run"
                print(f"{row.name}: {why}", file=sys.stderr)
                continue
            times[row.name].append(taken)
            if taken.wall > SLOW_S and not row.name.startswith("syncl"):
                once.add(row.name)
    return times, gone


def shown(seconds):
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def table(rows, times, gone):
    lines = ["| | wall | CPU | peak memory | CPU, of the bare parse |", "| --- | --- | --- | --- | --- |"]
    middle = lambda name, what: statistics.median(getattr(one, what) for one in times[name])
    bare = middle(rows[0].name, "cpu")
    for row in rows:
        if row.name in gone:
            lines.append(f"| {row.name} | {gone[row.name]} | | | |")
            continue
        if times[row.name][0].stopped:
            lines.append(f"| {row.name} | over {LIMIT_S} s, stopped | | | |")
            continue
        wall, cpu, memory = (middle(row.name, what) for what in ("wall", "cpu", "megabytes"))
        lines.append(f"| {row.name} | {shown(wall)} | {shown(cpu)} | {memory:.0f} MB | {cpu / bare:.2g}x |")
    return "\n".join(lines) + "\n"


def write(text):
    whole = README.read_text()
    before, rest = whole.split(BEGIN)
    README.write_text(before + BEGIN + text + END + rest.split(END)[1])


def install():
    if not VENV.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    for line in (HERE / "requirements.txt").read_text().split("\n"):
        if "==" in line:
            subprocess.run([VENV / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", line], check=False)


def folders(given):
    if given:
        return given
    sys.path.insert(0, str(ROOT / "corpus"))
    import scan
    place = pathlib.Path(os.environ.get("SYNCL_CORPUS", pathlib.Path.home() / ".cache" / "syncl-corpus"))
    return [*(source for name, _, source in scan.fetch(place) if name in PACKAGES), ROOT / "corpus"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--no-write", action="store_true")
    arguments.add_argument("folders", nargs="*", type=pathlib.Path)
    given = arguments.parse_args()
    signal.signal(signal.SIGALRM, too_long)
    install()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        tree = scratch / "tree"
        for folder in folders([path.resolve() for path in given.folders]):
            shutil.copytree(folder, tree / folder.name, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        files = sources(tree)
        megabytes = sum(path.stat().st_size for path in files) / 1e6
        time.sleep(2.1)  # files as young as this are not trusted to be unchanged
        rows = [Row("bare tree-sitter parse, all cores", parse_commands(files), None), *syncl_rows(tree, scratch, files),
                *other_rows(tree, scratch)]
        times, gone = run(rows, tree, given.runs)
    text = (f"{len(files)} files, {megabytes:.1f} MB of Python ({', '.join(PACKAGES)}, corpus), {os.cpu_count()} cores, "
            f"medians of {given.runs}:\n\n" if not given.folders else
            f"{len(files)} files, {megabytes:.1f} MB of Python, {os.cpu_count()} cores, medians of {given.runs}:\n\n")
    text += table(rows, times, gone)
    print(text, end="")
    if not given.no_write:
        write(text)


main()
