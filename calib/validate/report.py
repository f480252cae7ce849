#!/usr/bin/env python3
"""What the measured changes say about the prices.

    python3 calib/validate/report.py RESULTS.json [--syncl build/syncl] [--profile FILE] [--busy nvml|trace] [--out DIR]

Each script with one change goes through `syncl --step-time ... --gpu-busy ...`, with the step that was measured with the
change in it and the GPU's share of it, as a user reads them. The price is the ledger's "all waits"; where the loop has
waits of its own, which a comment allows, it is what the findings cost that are left, one by one. Writes RESULTS.tsv and
RESULTS.md to DIR; prints the report. Needs no GPU and no PyTorch.
"""
import argparse
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import changes

ZERO_US, ZERO_SHARE = 5, 0.001  # as analyzer/cost/pricing.c says "about zero"
GAIN = 0.01  # of a step, as analyzer/cost/verdict.c


VERDICTS = (("gain", "gain"), ("none", "no gain"), ("unknown", "cannot tell"))


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def interval(differences):
    """The median of paired differences with its 95 % bootstrap interval."""
    chance = random.Random(1)
    again = sorted(median(chance.choices(differences, k=len(differences))) for _ in range(1000))
    return median(differences), again[25], again[974]


def busy_of(loop, source):
    """The GPU's share of the plain step, 0..1."""
    percents = loop["nvml"].get("percent") or []
    if source == "nvml" and percents:
        return median(percents) / 100
    return min(loop["gpu_us"] / median(loop["samples"]["plain"]), 1)


def step_of(report):
    """The loop that is measured, of those in a report: a turn of it is a step, or a batch where several make a step."""
    return [one for unit in ("step", "batch") for one in report["loops"] if one["unit"] == unit][0]


def price(syncl, profile, loop, change, step_us, busy, folder):
    script = pathlib.Path(folder) / f"{loop}.py"
    script.write_text(changes.make(changes.read(loop), change))
    command = [syncl, "--output-format=json", "--exit-zero"] + ([f"--profile={profile}"] if profile else [])
    if step_us:
        command += [f"--step-time={step_us:.0f}us", f"--gpu-busy={max(round(100 * busy), 1)}%"]
    report = json.loads(subprocess.run(command + [str(script)], capture_output=True, check=True).stdout)
    step = step_of(report)
    moved = [remedy for finding in report["findings"] for remedy in finding["cost"]["remedies"]
             if remedy["kind"] == "move-to-end"]
    low, high = step["all"]["low_us"], step["all"]["high_us"]
    if report["summary"]["suppressed"]:
        low, high = (sum(finding["cost"][end] or 0 for finding in report["findings"]) for end in ("low_us", "high_us"))
    return {"low": low, "high": high, "findings": len(report["findings"]), "verdict": step["verdict"],
            "mendable": any(finding["need"] != "needed" for finding in report["findings"]),
            "operations": [step["operations"]["low"], step["operations"]["high"]],
            "moved": sum(remedy["saves_us"] for remedy in moved), "moved_of": sum(remedy["of_us"] for remedy in moved)}


def misjudged(said, low, high, step_us):
    """No gain is said, and rightly, of waits that the step needs, whatever they cost."""
    return {"gain": high < GAIN * step_us, "none": low > GAIN * step_us and said["mendable"]}.get(said["verdict"], False)


def case(options, loop, change, folder):
    samples = loop["samples"]
    plain = [(a + b) / 2 for a, b in zip(samples["plain"], samples["again"])]
    middle, low, high = interval([with_it - without for with_it, without in zip(samples[change], plain)])
    _, below, above = interval([b - a for a, b in zip(samples["plain"], samples["again"])])
    noise = max(-below, above, 0)
    step_us = median(samples[change])
    busy = busy_of(loop, options.busy) * min(median(plain) / step_us, 1)
    said = price(options.syncl, options.profile, loop["loop"], change, step_us, busy, folder)
    zero = max(ZERO_US, ZERO_SHARE * step_us)
    return {"loop": loop["loop"], "change": change, "step_us": step_us,
            "busy": busy, "measured": middle, "from": low, "to": high, "noise": noise, **said,
            "meets": low - noise <= said["high"] and high + noise >= said["low"],
            "width": (said["high"] + noise) / (said["low"] + noise) if said["low"] + noise > 0 else float("inf"),
            "said_zero": said["high"] < zero, "is_zero": low - noise < zero,
            "misjudged": misjudged(said, low - noise, high + noise, step_us)}


def robust_us(low, high):
    """What findings stand by: cost_robust_us of analyzer/cost/joint.c."""
    return high / 4 if high < 0.5 else max(low, 0.5) ** 0.75 * max(high, low, 0.5) ** 0.25


def top_two(cases):
    """Loop by loop: is the change that syncl would show first among the two that cost most?"""
    hits = {}
    for loop in sorted({each["loop"] for each in cases}):
        of_loop = [each for each in cases if each["loop"] == loop]
        dearest = max(of_loop, key=lambda each: robust_us(each["low"], each["high"]))
        truly = sorted(of_loop, key=lambda each: -each["measured"])[:2]
        hits[loop] = (dearest, dearest in truly, truly)
    return hits


def summary(cases):
    zeros = [each for each in cases if each["said_zero"]]
    hits = top_two(cases)
    return [f"{sum(each['meets'] for each in cases)} of {len(cases)} intervals meet "
            f"({100 * sum(each['meets'] for each in cases) / len(cases):.0f} %)",
            f"median of (high + n)/(low + n): {median([each['width'] for each in cases]):.1f}",
            f"told about zero: {len(zeros)}, of which {sum(each['is_zero'] for each in zeros)} are",
            f"dearest change in the true top two: {sum(hit for _, hit, _ in hits.values())} of {len(hits)} loops",
            "verdicts: " + ", ".join(f"{sum(each['verdict'] == verdict for each in cases)} {words}" for verdict, words in VERDICTS)
            + f"; {sum(each['misjudged'] for each in cases)} wrong"]


def number(us):
    return f"{us:.0f}" if abs(us) >= 10 else f"{us:.1f}"


def table(cases):
    rows = ["| loop | change | step us | busy | measured us | n | priced us | |", "|---|---|---|---|---|---|---|---|"]
    for each in cases:
        rows.append(f"| {each['loop']} | {each['change']} | {each['step_us']:.0f} | {100 * each['busy']:.0f} % | "
                    f"{number(each['measured'])} ({number(each['from'])} to {number(each['to'])}) | "
                    f"{number(each['noise'])} | {number(each['low'])} to {number(each['high'])} | "
                    f"{'' if each['meets'] else 'outside'} |")
    return rows


def moves(cases):
    """What moving the read from behind the forward or the backward pass to the end of the step saves: said, measured."""
    rows = ["| loop | read | said | measured |", "|---|---|---|---|"]
    for each in cases:
        if each["change"] not in ("item-forward", "item-backward") or each["measured"] < 3 * each["noise"]:
            continue
        end = [other for other in cases if other["loop"] == each["loop"] and other["change"] == "item-end"][0]
        said = f"{number(each['moved'])} of {number(each['moved_of'])} us" if each["moved"] else "nothing"
        rows.append(f"| {each['loop']} | {each['change'][5:]} | {said} | "
                    f"{number(each['measured'] - end['measured'])} of {number(each['measured'])} us |")
    return rows


def write(cases, options, machine):
    lines = [f"# Prices against measured changes", "",
             f"{machine['device']}, driver {machine['driver']}, torch {machine['torch']}, {machine['cores']} cores, "
             f"{machine['day']}; GPU share as {options.busy} shows it"
             + (f"; profile {options.profile}" if options.profile else "; built-in profile"), ""]
    groups = (("All loops", cases), ("Loops that the model was fitted on", [c for c in cases if c["loop"] in changes.TUNED]),
              ("Loops that were not fitted on", [c for c in cases if c["loop"] not in changes.TUNED + changes.HELD_OUT + changes.HELD_OUT_AGAIN + changes.SIZED + changes.UNSEEN]))
    for words, chosen in groups:
        if chosen and (words == "All loops" or len(chosen) < len(cases)):
            lines += [f"## {words}", ""] + ["- " + line for line in summary(chosen)] + [""]
    lines += ["## Moving a read to the end of the step", "", "Where the read costs more than three times the noise.", ""]
    lines += moves(cases) + ["", "## Cases", ""] + table(cases)
    text = "\n".join(lines) + "\n"
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    name = pathlib.Path(options.results).name.split(".")[0]
    (out / f"{name}.md").write_text(text)
    keys = [key for key in cases[0] if key not in ("operations", "moved", "moved_of", "verdict", "mendable", "misjudged")]
    with open(out / f"{name}.tsv", "w") as file:
        print(*keys, sep="\t", file=file)
        for each in cases:
            print(*(f"{each[key]:.6g}" if isinstance(each[key], float) else each[key] for key in keys), sep="\t",
                  file=file)
    return text


def main():
    root = pathlib.Path(__file__).parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("results")
    parser.add_argument("--syncl", default=str(root / "build" / "syncl"))
    parser.add_argument("--profile")
    parser.add_argument("--busy", choices=("nvml", "trace"), default="nvml")
    parser.add_argument("--out", default=str(pathlib.Path(__file__).parent / "results"))
    options = parser.parse_args()
    opened = gzip.open if options.results.endswith(".gz") else open
    with opened(options.results, "rt") as file:
        results = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        cases = [case(options, loop, change, folder) for loop in results["loops"] if "samples" in loop
                 for change in loop["samples"] if change not in ("plain", "again")]
    sys.stdout.write(write(cases, options, results["machine"]))


if __name__ == "__main__":
    main()
