#!/usr/bin/env python3
"""All sets of measured loops, a row each, priced with nothing told and with the step time and the GPU's share:

    python3 calib/validate/sets.py RESULTS.json.gz... [--syncl build/syncl] [--profile FILE] [--cases FILE.tsv]

A *loss* is a change that measurably costs more than twice the noise. Width is the median of high/low of those told, without the
noise: a low end below 1 us counts as 1. A verdict is wrong as report.py says. Needs no GPU and no PyTorch.
"""
import argparse
import concurrent.futures
import gzip
import json
import pathlib
import tempfile

import changes
import report


def measured(loop, change):
    samples = loop["samples"]
    plain = [(a + b) / 2 for a, b in zip(samples["plain"], samples["again"])]
    middle, low, high = report.interval([with_it - without for with_it, without in zip(samples[change], plain)])
    _, below, above = report.interval([b - a for a, b in zip(samples["plain"], samples["again"])])
    step_us = report.median(samples[change])
    busy = report.busy_of(loop, "nvml") * min(report.median(plain) / step_us, 1)
    return {"loop": loop["loop"], "change": change, "step_us": step_us, "busy": busy, "measured": middle, "from": low, "to": high,
            "noise": max(-below, above, 0)}


def judged(case, said):
    low, high = case["from"] - case["noise"], case["to"] + case["noise"]
    wrong = report.misjudged(said, low, high, case["step_us"])
    return {**case, "low": said["low"], "high": said["high"], "verdict": said["verdict"], "wrong": wrong,
            "meets": low <= said["high"] and high >= said["low"],
            "loss": case["measured"] > 2 * case["noise"], "width": max(said["high"], 1) / max(said["low"], 1)}


def priced(options, cases, told):
    def one(case):
        with tempfile.TemporaryDirectory() as folder:
            step_us, busy = (case["step_us"], case["busy"]) if told else (0, 0)
            return judged(case, report.price(options.syncl, options.profile, case["loop"], case["change"], step_us, busy, folder))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, cases))


def row(name, told, cases):
    losses = [case for case in cases if case["loss"]]
    hits = report.top_two(cases)
    return [name, told, f"{sum(case['meets'] for case in cases)} of {len(cases)}",
            f"{sum(case['meets'] for case in losses)} of {len(losses)} ({100 * sum(case['meets'] for case in losses) / len(losses):.0f} %)",
            f"{sum(case['from'] - case['noise'] > case['high'] for case in losses)}, {sum(case['to'] + case['noise'] < case['low'] for case in losses)}",
            f"{report.median([case['width'] for case in losses]):.1f}",
            ", ".join(str(sum(case["verdict"] == verdict for case in cases)) for verdict, _ in report.VERDICTS)
            + f"; {sum(case['wrong'] for case in cases)}",
            f"{sum(hit for _, hit, _ in hits.values())} of {len(hits)}"]


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        loops = json.load(file)["loops"]
    return [measured(loop, change) for loop in loops if "samples" in loop for change in loop["samples"] if change not in ("plain", "again")]


def main():
    root = pathlib.Path(__file__).parents[2]
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+")
    parser.add_argument("--syncl", default=str(root / "build" / "syncl"))
    parser.add_argument("--profile")
    parser.add_argument("--cases")
    options = parser.parse_args()
    print("| set | told | meet | losses that meet | told too low, too high | width | gain, none, unknown; wrong | top two |\n|" + "---|" * 8)
    rows, written = {"nothing": [], "step and share": []}, []
    for path in options.results:
        name, cases = pathlib.Path(path).name.split(".")[0], read(path)
        for told in rows:
            done = priced(options, cases, told != "nothing")
            rows[told] += [{**case, "loop": f"{name}/{case['loop']}"} for case in done]
            written += [{"set": name, "told": told, **case} for case in done]
            print("| " + " | ".join(row(name, told, done)) + " |", flush=True)
    if len(options.results) > 1:
        for told, cases in rows.items():
            print("| " + " | ".join(row("all", told, cases)) + " |")
    if options.cases:
        with open(options.cases, "w") as file:
            print(*written[0], sep="\t", file=file)
            for case in written:
                print(*(f"{value:.6g}" if isinstance(value, float) else value for value in case.values()), sep="\t", file=file)


if __name__ == "__main__":
    main()
