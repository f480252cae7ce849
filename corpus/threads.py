#!/usr/bin/env python3
"""The same bytes whatever the number of threads, and on every run: runs syncl on the public packages of corpus/manifest
with 1, 2, 8 and 16 threads and as many as it likes, twice each, then filling a cache, from the models in it and from the
result in it, and compares the JSON with every confidence.

usage: threads.py [SYNCL] [--folder DIR] [--write] [--only PACKAGE,...]

Prints a row a package: bytes of the report, its SHA-256, the runs, and whether all were the same. Exit 1 where any
differed. --write keeps the table in corpus/count/threads.tsv; the digests change with whatever syncl says."""
import hashlib, pathlib, shutil, subprocess, sys, tempfile
from scan import arguments, packages

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "count" / "threads.tsv"
THREADS = ("1", "2", "8", "16", "")
COLUMNS = ["package", "version", "bytes", "sha256", "runs", "same"]


def said(syncl, place, threads, *words):
    words = [syncl, "--isolated", "--exit-zero", "--output-format=json", "--min-confidence=possible", *words]
    done = subprocess.run(words + ([f"--threads={threads}"] if threads else []) + ["."], cwd=place, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def runs(syncl, place):
    """What each run says, the cold ones first."""
    for threads in THREADS:
        for _ in range(2):
            yield said(syncl, place, threads, "--no-cache")
    with tempfile.TemporaryDirectory() as cache:
        yield said(syncl, place, "2", f"--cache-dir={cache}")
        shutil.rmtree(f"{cache}/results")
        for threads in ("1", "8", "8"):  # from models; from a result of other words; from its own
            yield said(syncl, place, threads, f"--cache-dir={cache}")


def main():
    chosen = arguments(__doc__)
    table = ["\t".join(COLUMNS)]
    print(table[0])
    for name, version, place in packages(chosen):
        all_runs = list(runs(chosen.syncl, place))
        status, report, errors = all_runs[0]
        same = status == 0 and all(run == all_runs[0] for run in all_runs)
        row = [name, version, str(len(report)), hashlib.sha256(report).hexdigest(), str(len(all_runs)), "yes" if same else "NO"]
        table.append("\t".join(row))
        print(table[-1], flush=True)
    if chosen.write and not chosen.only:
        TABLE.write_text("".join(line + "\n" for line in table))
    sys.exit(any(line.endswith("NO") for line in table))


main()
