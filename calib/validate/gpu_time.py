#!/usr/bin/env python3
"""GPU time of a step as told from the text alone, against the kernels of a traced run.

    python3 calib/validate/gpu_time.py RESULTS.json.gz... [--syncl build/syncl]

The plain script of each loop, no hint given; told is the range of the ledger and its geometric middle. Needs no GPU.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import tempfile

import changes


def told(syncl, loop, folder):
    script = pathlib.Path(folder) / f"{loop}.py"
    script.write_text(changes.make(changes.read(loop), None))
    command = [syncl, "--isolated", "--output-format=json", "--exit-zero", str(script)]
    report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    gpu = [one["gpu"] for one in report["loops"] if one["unit"] == "step"][0]
    return gpu["low_us"], gpu["high_us"]


def main():
    root = pathlib.Path(__file__).parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+")
    parser.add_argument("--syncl", default=str(root / "build" / "syncl"))
    options = parser.parse_args()
    rows = []
    for path in options.results:
        with gzip.open(path, "rt") as file:
            loops = json.load(file)["loops"]
        with tempfile.TemporaryDirectory() as folder:
            rows += [(loop["loop"], loop["gpu_us"], *told(options.syncl, loop["loop"], folder)) for loop in loops if "gpu_us" in loop]
    near = sum(0.6 <= (low * high) ** 0.5 / measured <= 1.7 for _, measured, low, high in rows)
    held = sum(low <= measured <= high for _, measured, low, high in rows)
    print(f"{len(rows)} loops: {held} within the range, the middle of {near} within 0.6 to 1.7 of what was measured.\n")
    print("| loop | told us | middle | measured us | middle / measured |\n|---|---|---|---|---|")
    for loop, measured, low, high in rows:
        middle = (low * high) ** 0.5
        print(f"| {loop} | {low:.0f} to {high:.0f} | {middle:.0f} | {measured:.0f} | {middle / measured:.2f} |")


if __name__ == "__main__":
    main()
