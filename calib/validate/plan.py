#!/usr/bin/env python3
"""What the measured changes say about the plan: its joint gain against what leaving the change out gained, and whether what
it says to leave gained nothing.

    python3 calib/validate/plan.py RESULTS.json... [--syncl build/syncl]

Each script with one change goes through `syncl --step-time ... --gpu-busy ...`, as in report.py. A case with a group in the
plan of its training step is told the gain of that loop's groups together; one without is told to be left. Told and measured
meet as in report.py. Prints the table in Markdown. Needs no GPU and no PyTorch.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import changes
import report

LEFT = 0.01  # of a step, as analyzer/report/plan.c


def planned(syncl, loop, change, step_us, busy, folder):
    script = pathlib.Path(folder) / f"{loop}.py"
    script.write_text(changes.make(changes.read(loop), change))
    command = [syncl, "--isolated", "--output-format=json", "--exit-zero", f"--step-time={step_us:.0f}us", f"--gpu-busy={max(round(100 * busy), 1)}%", str(script)]
    said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    step = [one["id"] for one in said["loops"] if one["unit"] == "step"][0]
    of_step = [one for one in said["plan"]["loops"] if one["loop"] == step]
    groups = [group for group in said["plan"]["groups"] if group["loop"] == step]
    return (of_step[0]["gain"]["low_us"], of_step[0]["gain"]["high_us"], groups) if groups else None


def case(syncl, loop, change, folder):
    samples = loop["samples"]
    plain = [(a + b) / 2 for a, b in zip(samples["plain"], samples["again"])]
    middle, low, high = report.interval([with_it - without for with_it, without in zip(samples[change], plain)])
    _, below, above = report.interval([b - a for a, b in zip(samples["plain"], samples["again"])])
    noise, step_us = max(-below, above, 0), report.median(samples[change])
    busy = report.busy_of(loop, "nvml") * min(report.median(plain) / step_us, 1)
    told = planned(syncl, loop["loop"], change, step_us, busy, folder)
    right = (low - noise <= told[1] and high + noise >= told[0]) if told else low - noise < LEFT * step_us
    return {"loop": loop["loop"], "change": change, "step": step_us, "measured": (middle, low, high), "noise": noise, "told": told, "right": right}


def row(each):
    middle, low, high = map(report.number, each["measured"])
    told = f"{report.number(each['told'][0])} to {report.number(each['told'][1])}" if each["told"] else "leave it"
    return f"| {each['loop']} | {each['change']} | {each['step']:.0f} | {told} | {middle} ({low} to {high}) | {'' if each['right'] else 'not so'} |"


def main():
    root = pathlib.Path(__file__).parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+")
    parser.add_argument("--syncl", default=str(root / "build" / "syncl"))
    options = parser.parse_args()
    cases = []
    for path in options.results:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            results = json.load(file)
        with tempfile.TemporaryDirectory() as folder:
            cases += [case(options.syncl, loop, change, folder) for loop in results["loops"] if "samples" in loop
                      for change in loop["samples"] if change not in ("plain", "again")]
    planned_ones, left = [each for each in cases if each["told"]], [each for each in cases if not each["told"]]
    scripts = {each["loop"] for each in planned_ones}
    print(f"With a plan: {len(planned_ones)} cases of {len(scripts)} scripts, told gain and measured meet in {sum(each['right'] for each in planned_ones)}. "
          f"Told to be left: {len(left)}, of which {sum(each['right'] for each in left)} gained less than 1 % of the step.\n")
    print("| script | change | step us | the plan gains us | measured us | |\n|---|---|---|---|---|---|")
    print(*map(row, cases), sep="\n")


if __name__ == "__main__":
    main()
