#!/usr/bin/env python3
"""Does --trace still say of the kept traces what the tables hold?

    python3 tests/truth/check_traces.py [--syncl build/syncl]

Each price of tests/traces/*/table.tsv is made again from the recordings beside it, and the measured columns from the
rounds. Prices may move by a tenth or 5 us, as the built-in profile does when it is measured again; who changes more makes
the tables again (`python3 tests/truth/trace_table.py tests/traces/NAME --mode cuda`) and reads them.
"""
import argparse
import concurrent.futures
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, ROOT  # noqa: E402
from trace_table import UNTRUSTED, Row, kept_traces, predict_of, profile_of, read_rounds, traces_of  # noqa: E402

FOLDER = os.path.join(ROOT, "tests", "traces")


def rows_of(table):
    lines = [line.split("\t") for line in open(table).read().splitlines() if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def same(said, kept, share=0.01, us=1.0):
    return abs(said - kept) <= max(us, share * abs(kept))


def measured_differences(folder, row):
    rounds = read_rounds(os.path.join(folder, row["loop"] + ".tsv"))
    now = Row(row["loop"], row["set"], rounds)
    return [f"{column}: {value:.1f}, in the table {row[column]}"
            for column, value in (("step_us", now.step), ("saved_us", now.saved), ("half_width_us", now.half))
            if not same(value, float(row[column]))]


def predicted_differences(syncl, folder, row):
    trace, out, leaves = traces_of(LOOPS[row["loop"]], row["set"], ["cuda"])["cuda"]
    paths = kept_traces(folder, row["loop"], trace)
    said, seen = predict_of(syncl, LOOPS[row["loop"]], paths, out, leaves, profile_of(folder))
    price = said["saving_all_us"] if said and said["trusted"] else None
    if price is None and row["cuda_ratio"] == UNTRUSTED:
        return []
    if price is None or not same(price, float(row["cuda_us"]), 0.1, 5) or seen != row["cuda_seen"]:
        return [f"{price} us of {seen} findings, in the table {row['cuda_us']} of {row['cuda_seen']}"]
    return []


def check_table(syncl, table, jobs):
    folder, rows = os.path.dirname(table), rows_of(table)
    tasks = {}
    for row in rows:
        name = f"{os.path.basename(folder)}: {row['loop']} {row['set']}"
        tasks[jobs.submit(measured_differences, folder, row)] = name
        if row["cuda_us"]:
            tasks[jobs.submit(predicted_differences, syncl, folder, row)] = name
    wrong = [f"{tasks[task]}: {text}" for task in tasks for text in task.result()]
    return wrong, len(tasks) - len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--syncl", default=os.path.join(ROOT, os.environ.get("BUILD", "build"), "syncl"))
    args = parser.parse_args()
    failed = again = good = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as jobs:
        for table in sorted(glob.glob(os.path.join(FOLDER, "*", "table.tsv"))):
            wrong, made = check_table(args.syncl, table, jobs)
            print("\n".join(wrong) or f"{os.path.basename(os.path.dirname(table))}: as it was")
            failed, good, again = failed + bool(wrong), good + (not wrong), again + made
    print(f"note: {again} prices made again from the recordings of tests/traces")
    print(f"[  PASSED  ] {good} test(s).")
    if failed or not again:
        print(f"[  FAILED  ] {max(failed, 1)} test(s).")
    return 1 if failed or not again else 0


if __name__ == "__main__":
    sys.exit(main())
