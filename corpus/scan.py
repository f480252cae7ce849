#!/usr/bin/env python3
"""Runs syncl on the public packages of corpus/manifest.

usage: scan.py [SYNCL] [--folder DIR] [--write] [--only PACKAGE,...]

Downloads the wheels that are missing (pip, pinned by hash), unpacks them under DIR (default
~/.cache/syncl-corpus, or $SYNCL_CORPUS; never in the repository), runs syncl once per package and
prints a table. Exit 1 when a run crashed, hung, took over 2 GB or left a file unaccounted for.
Findings that differ from corpus/count/scan.tsv are shown; --write makes the new numbers the expected ones.
"""
import argparse, collections, json, os, pathlib, re, subprocess, sys, threading, time, zipfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "count" / "scan.tsv"
HANG_S, MEMORY_MB = 120, 2048
LEFT_OUT = {"build", "dist"}  # folders that syncl does not enter
WHEELS = ["--only-binary", ":all:", "--python-version", "3.11", "--platform", "manylinux_2_28_x86_64"]
LEVELS, SURE = ("warning", "note"), ("certain", "likely", "possible")
COUNTS = ["version", "files", "skipped"] + [f"{level}s {sure}" for level in LEVELS for sure in SURE]
COLUMNS = ["package"] + COUNTS + ["seconds", "peak MB", "exit"]


def manifest():
    return re.findall(r"^([\w-]+)==(\S+)", (HERE / "manifest").read_text(), re.M)


def fetch(folder):
    wheels, sources = folder / "wheels", folder / "src"
    wanted = manifest()
    have = lambda name, version: list(wheels.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    if not all(have(*one) for one in wanted):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", *WHEELS,
                        "-r", str(HERE / "manifest"), "-d", str(wheels)], check=True)
    for name, version in wanted:
        place = sources / f"{name.replace('-', '_')}-{version}"
        if not place.exists():
            with zipfile.ZipFile(have(name, version)[0]) as wheel:
                wheel.extractall(place)
        yield name, version, place


def run(syncl, place, report):
    """Exit status, wall seconds and peak MB (at least this Python's own, about 12 MB)."""
    start = time.monotonic()
    process = subprocess.Popen([syncl, "--no-cache", "--output-format=json", "--min-confidence=possible", "-o", str(report), "."],
                               cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    timer = threading.Timer(HANG_S, process.kill)
    timer.start()
    errors = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - start, usage.ru_maxrss / 1024, errors


def scan(syncl, name, version, place, report):
    report.unlink(missing_ok=True)
    status, seconds, peak, errors = run(syncl, place, report)
    row = dict.fromkeys(COLUMNS, "-") | {"package": name, "version": version, "seconds": f"{seconds:.2f}",
                                         "peak MB": f"{peak:.0f}", "exit": str(status)}
    wrong = []
    if status not in (0, 1):
        wrong.append("hung" if status == -9 and seconds >= HANG_S else f"exit {status}: {errors.strip()[-200:]}")
    else:
        found = json.loads(report.read_text())
        tally = collections.Counter(f"{one['level']}s {one['confidence']}" for one in found["findings"])
        row |= {column: str(tally[column]) for column in COUNTS[3:]}
        row |= {"files": str(found["summary"]["files"]), "skipped": str(found["summary"]["skipped"])}
        there = sum(1 for path in place.rglob("*")
                    if path.suffix in (".py", ".ipynb") and path.is_file() and not LEFT_OUT.intersection(path.relative_to(place).parts[:-1]))
        if int(row["files"]) + int(row["skipped"]) != there:
            wrong.append(f"{there} files there, {row['files']} read and {row['skipped']} skipped")
    if peak > MEMORY_MB:
        wrong.append(f"{peak:.0f} MB")
    return row, wrong


def arguments(description):
    """The words of the command line, paths made whole; `only` is a set of names, empty for all."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("syncl", nargs="?", default="build/syncl")
    options.add_argument("--folder", default=os.environ.get("SYNCL_CORPUS", "~/.cache/syncl-corpus"))
    options.add_argument("--write", action="store_true")
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    chosen.syncl = str(pathlib.Path(chosen.syncl).resolve())
    chosen.folder = pathlib.Path(chosen.folder).expanduser()
    chosen.only = set(filter(None, chosen.only.split(",")))
    return chosen


def packages(chosen):
    for name, version, place in fetch(chosen.folder):
        if not chosen.only or name in chosen.only:
            yield name, version, place


def main():
    chosen = arguments(__doc__)
    expected = {}
    if EXPECTED.exists():
        header, *lines = [line.split("\t") for line in EXPECTED.read_text().splitlines()]
        expected = {line[0]: dict(zip(header, line)) for line in lines}
    (chosen.folder / "reports").mkdir(parents=True, exist_ok=True)
    rows, failed = [], False
    print("\t".join(COLUMNS))
    for name, version, place in packages(chosen):
        row, wrong = scan(chosen.syncl, name, version, place, chosen.folder / "reports" / f"{name}.json")
        rows.append(row)
        print("\t".join(row[column] for column in COLUMNS), flush=True)
        for reason in wrong:
            print(f"{name}: {reason}", file=sys.stderr)
        failed = failed or bool(wrong)
        before = expected.get(name)
        for column in COUNTS:
            if before and not chosen.write and before[column] != row[column]:
                print(f"{name}: {column} {before[column]} -> {row[column]}", file=sys.stderr)
    if chosen.write and not chosen.only:
        EXPECTED.parent.mkdir(exist_ok=True)
        EXPECTED.write_text("".join("\t".join(line) + "\n" for line in
                                    [COLUMNS] + [[row[column] for column in COLUMNS] for row in rows]))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
