#!/usr/bin/env python3
"""What syncl tells of loops that nobody has measured yet: python3 calib/validate/told.py OUT.tsv LOOP... [--syncl build/syncl]

A row a change, `plain` first: what its waits cost, with nothing told; the verdict; the GPU's and the host's time of a step.
Committed before the loops are measured, it shows that the measurement is a test. Needs no GPU.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import changes
from report import step_of


def told(syncl, loop, change, folder):
    script = pathlib.Path(folder) / f"{loop}.py"
    script.write_text(changes.make(changes.read(loop), change))
    command = [syncl, "--isolated", "--output-format=json", "--exit-zero", str(script)]
    report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    step = step_of(report)
    ends = [step[what][end] for what in ("all", "gpu", "host") for end in ("low_us", "high_us")]
    if report["summary"]["suppressed"]:  # waits of its own, which a comment allows: what is left, as report.py takes it
        ends[:2] = (sum(finding["cost"][end] or 0 for finding in report["findings"]) for end in ("low_us", "high_us"))
    return [loop, change or "plain", len(report["findings"]), step["verdict"], *(f"{us:.6g}" for us in ends)]


def main():
    root = pathlib.Path(__file__).parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("loops", nargs="+")
    parser.add_argument("--syncl", default=str(root / "build" / "syncl"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open(options.out, "w") as file:
        print("loop", "change", "findings", "verdict", "low", "high", "gpu_low", "gpu_high", "host_low", "host_high", sep="\t", file=file)
        for loop in options.loops:
            for change in [None] + changes.changes(changes.read(loop)):
                print(*told(options.syncl, loop, change, folder), sep="\t", file=file)


if __name__ == "__main__":
    main()
