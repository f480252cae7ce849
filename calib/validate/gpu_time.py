#!/usr/bin/env python3
"""GPU time of a step as told from the text alone, against the kernels of a traced run.

    python3 calib/validate/gpu_time.py RESULTS.json.gz... SCRIPTS.jsonl.gz... [--syncl build/syncl]

The plain script of each loop, and the scripts of which scripts.py timed a step, as they are; no hint given. Told is the range of the
ledger and its geometric middle; a range more than WIDE times wide hangs on a size that is not known. Of several training steps in
a script the one with the optimizer that was timed, STEPS. Needs no GPU.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import tempfile

import changes
import report

WIDE = 10
STEPS = {"gnn_nodes.py": 134, "hf_trainer_custom.py": 85, "seg_distill.py": 106, "lightning_classifier.py": 98}  # lines

def told_of(syncl, script):
    command = [syncl, "--isolated", "--output-format=json", "--exit-zero", str(script)]
    steps = [one for one in json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["loops"] if one["unit"] == "step"]
    gpu = [one["gpu"] for one in steps if one["line"] == STEPS.get(script.name, one["line"])][0]
    return gpu["low_us"], gpu["high_us"]


def told(syncl, loop, folder):
    script = pathlib.Path(folder) / f"{loop}.py"
    script.write_text(changes.make(changes.read(loop), None))
    return told_of(syncl, script)


def scripts(syncl, root, path):
    """Of each script that was timed; the last traced parts may hold no step."""
    with gzip.open(path, "rt") as file:
        timed = [row for row in map(json.loads, file) if any(row.get("gpu_us", []))]
    return [(row["script"], report.median([us for us in row["gpu_us"] if us > 0]), *told_of(syncl, root / row["script"])) for row in timed]


def summary(rows, what):
    near = sum(0.6 <= (low * high) ** 0.5 / measured <= 1.7 for _, measured, low, high in rows)
    held = sum(low <= measured <= high for _, measured, low, high in rows)
    return f"{len(rows)} {what}: {held} within the range, the middle of {near} within 0.6 to 1.7 of what was measured."


def main():
    root = pathlib.Path(__file__).parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+")
    parser.add_argument("--syncl", default=str(root / "build" / "syncl"))
    options = parser.parse_args()
    rows = []
    for path in options.results:
        if path.endswith(".jsonl.gz"):
            rows += scripts(options.syncl, root, path)
            continue
        with gzip.open(path, "rt") as file:
            loops = json.load(file)["loops"]
        with tempfile.TemporaryDirectory() as folder:
            rows += [(loop["loop"], loop["gpu_us"], *told(options.syncl, loop["loop"], folder)) for loop in loops if "gpu_us" in loop]
    print(summary(rows, "loops") + "\n")
    print(summary([row for row in rows if row[3] <= WIDE * row[2]], f"told within {WIDE} times") + "\n")
    print("| loop | told us | middle | measured us | middle / measured |\n|---|---|---|---|---|")
    for loop, measured, low, high in rows:
        middle = (low * high) ** 0.5
        print(f"| {loop} | {low:.0f} to {high:.0f} | {middle:.0f} | {measured:.0f} | {middle / measured:.2f} |")


if __name__ == "__main__":
    main()
