#!/usr/bin/env python3
"""What undisturbed.py measured, beside what one recording of each loop says.

    python3 tests/truth/undisturbed_table.py MEASURED [RECORDED] [--syncl build/syncl] [--only NAME ...]
    python3 tests/truth/undisturbed_table.py --keep OUT FOLDER     OUT, which undisturbed.py filled, in few bytes

RECORDED (MEASURED/r, or MEASURED) holds a folder of recordings a loop, or its prices, NAME.prices.json.gz. A block's figure is the
mean of its steps but the tenth at either end, since an epoch's end reaches into the steps beside it. A set's loss is the mean of
`full` and `again` less that of the set; told are it and the 95 % interval: of ten passes and more Wilcoxon's, of paired differences,
else Welch's. Verdicts are trace_table.py's. Where each side ran in a
process of its own, too, a second table has both losses.
"""
import argparse
import gzip
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, ROOT, loop_source  # noqa: E402
from trace_loops import hodges_lehmann, sets_of  # noqa: E402
from trace_table import CLEAR, predict, verdict  # noqa: E402

STUDENT = (0, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14)
PAIRED = 10  # so many passes tell by their differences; with fewer Welch's t is of their blocks
COLUMNS = ("pass", "set", "steps", "step_us", "host_us", "mhz", "watts")


def rows_of(path):
    """Each block of a process as COLUMNS."""
    if path.endswith(".tsv"):
        return [dict(zip(COLUMNS, line.rstrip("\n").split("\t"))) for line in open(path).read().splitlines()[1:]]
    rows = []
    for block in json.load(open(path))["blocks"]:
        steps = sorted(us for us in block["steps"] if us is not None)
        off = (len(steps) + 9) // 10
        if len(steps) > 2 * off:
            rows.append({**{one: str(block.get(one, "")) for one in COLUMNS}, "steps": str(len(steps)), "step_us": f"{statistics.mean(steps[off:-off]):.1f}"})
    return rows


def find(folder, name):
    return next((path for path in (os.path.join(folder, name + ending) for ending in (".json", ".tsv")) if os.path.exists(path)), None)


def passes_of(rows):
    """[{set: us a step}] of the passes that are whole."""
    passes = {}
    for row in rows:
        passes.setdefault(row["pass"], {})[row["set"]] = float(row["step_us"])
    most = max((len(one) for one in passes.values()), default=0)
    return [one for one in passes.values() if len(one) == most]


def error2(values):
    """Of their mean, squared."""
    return statistics.variance(values) / len(values) if len(values) > 1 else math.inf


def welch(before, behind):
    """How much less the mean of the second is, and the half-width of the 95 % interval of Welch's t."""
    errors = [error2(before), error2(behind)]
    degrees = sum(errors) ** 2 / sum(error ** 2 / max(len(values) - 1, 1) for error, values in zip(errors, (before, behind))) if 0 < sum(errors) < math.inf else 1
    half = STUDENT[max(1, min(int(degrees), len(STUDENT) - 1))] * math.sqrt(sum(errors))
    return statistics.mean(before) - statistics.mean(behind), half


def lost(passes, which):
    """What a step is shorter in the set, and the half-width of its 95 % interval."""
    if len(passes) >= PAIRED:
        return hodges_lehmann([one["full"] - one["again"] if which == "again" else (one["full"] + one["again"]) / 2 - one[which] for one in passes])
    sides = (("full",), ("again",)) if which == "again" else (("full", "again"), (which,))
    return welch(*([one[side] for one in passes for side in names] for names in sides))


def said_of(options, name, which):
    base, recorded = sets_of(LOOPS[name])["full"], os.path.join(options.recorded, name)
    with tempfile.TemporaryDirectory() as folder:
        if os.path.exists(recorded + ".prices.json.gz"):
            kept, recorded = recorded + ".prices.json.gz", os.path.join(folder, "prices.json")
            with gzip.open(kept, "rb") as packed, open(recorded, "wb") as plain:
                plain.write(packed.read())
        said, why = predict(options.syncl, LOOPS[name], [recorded], base, [one for one in sets_of(LOOPS[name])[which] if one not in base], [])
    return (said, "") if said and said["trusted"] else (None, f"not trusted: {said['distrust'] if said else why}")


def table(options):
    counts = dict.fromkeys(("clear", "right", "held", "zeros", "said", "untrusted"), 0)
    print("loop\tset\tpasses\tstep_us\tclean_us\tlost_us\thalf_width_us\trecorded_us\trange\tverdict")
    for name in options.only:
        path = find(options.measured, "blocks." + name)
        passes = passes_of(rows_of(path)) if path else []
        for which in passes[0] if passes else ():
            if which == "full":
                continue
            middle, half = lost(passes, which)
            step = statistics.mean((one["full"] + one["again"]) / 2 for one in passes)
            begin = f"{name}\t{which}\t{len(passes)}\t{step:.0f}"
            if which == "again":
                print(f"{begin}\t\t{middle:.0f}\t{half:.0f}\t\t\tcontrol")
                continue
            said, why = said_of(options, name, which)
            if not said:
                counts["untrusted"] += 1
                print(f"{begin}\t\t{middle:.0f}\t{half:.0f}\t\t\t{why}")
                continue
            limit, price = max(20, 0.003 * step), said["saving_all_us"]
            mark, right, _ = verdict(price, middle, half, limit)
            low, high = (said["saving_all_range"][end] for end in ("low_us", "high_us"))
            if middle <= max(half, limit):
                counts["zeros"], counts["said"] = counts["zeros"] + 1, counts["said"] + right
            elif middle >= CLEAR * half:
                counts["clear"], counts["right"], counts["held"] = counts["clear"] + 1, counts["right"] + right, counts["held"] + (low <= middle <= high)
            print(f"{begin}\t{said['unprofiled_us']:.0f}\t{middle:.0f}\t{half:.0f}\t{price:.0f}\t{low:.0f}..{high:.0f}\t{mark}")
    print("# of {clear} losses above five half-widths {right} within 0.8..1.25, {held} within the range told; of {zeros} zeros {said} said; "
          "{untrusted} without a price".format(**counts))


def of_processes(folder, kind, name):
    """{side: us a step of each process}"""
    sides = {}
    for entry in sorted(os.listdir(folder)):
        if entry.startswith(f"{kind}.{name}."):
            rows = rows_of(os.path.join(folder, entry))
            if rows:
                sides.setdefault(rows[0]["set"], []).append(statistics.mean(float(row["step_us"]) for row in rows))
    return sides


def compare(options):
    """What processes of their own say beside the blocks of one."""
    print("loop\thow\tfull_us\twithout_us\tlost_us")
    for name in options.only:
        path = find(options.measured, "blocks." + name)
        for kind in ("own", "pinned") if path else ():
            sides = of_processes(options.measured, kind, name)
            other = next((side for side in sides if side != "full"), None)
            if not other or "full" not in sides:
                continue
            full, without = (statistics.mean(sides[side]) for side in ("full", other))
            told = [", ".join(f"{us:.0f}" for us in sides[side]) for side in ("full", other)]
            print(f"{name}\t{kind}\t{told[0]}\t{told[1]}\t{full - without:.0f}")
            if kind == "own":
                passes = passes_of(rows_of(path))
                means = [statistics.mean(one[side] for one in passes) for side in ("full", other)]
                print(f"{name}\tblocks\t{means[0]:.0f}\t{means[1]:.0f}\t{lost(passes, other)[0]:.0f}")


def keep_prices(syncl, name, recorded, path):
    """What the recording says of the loop's lines, as `--write-prices` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        beside = os.path.dirname(os.path.join(ROOT, LOOPS[name]["path"]))
        for other in filter(lambda other: other.endswith("_common.py"), os.listdir(beside)):
            shutil.copy(os.path.join(beside, other), folder)
        script, prices = os.path.join(folder, os.path.basename(LOOPS[name]["path"])), os.path.join(folder, "prices.json")
        with open(script, "w") as file:
            file.write(loop_source(LOOPS[name], sets_of(LOOPS[name])["full"]))
        subprocess.run([syncl, "--exit-zero", "--quiet", f"--trace={recorded}", f"--write-prices={prices}", script], check=True, stdout=subprocess.DEVNULL)
        with open(prices, "rb") as plain, open(path, "wb") as packed:
            packed.write(gzip.compress(plain.read(), 9, mtime=0))


def keep(syncl, out, folder):
    os.makedirs(folder, exist_ok=True)
    for name in sorted(os.listdir(os.path.join(out, "r"))):
        if name in LOOPS and os.path.isdir(os.path.join(out, "r", name)):
            keep_prices(syncl, name, os.path.join(out, "r", name), os.path.join(folder, name + ".prices.json.gz"))
    for entry in sorted(os.listdir(out)):
        kind, _, rest = entry.partition(".")
        if kind in ("blocks", "own", "pinned") and entry.endswith(".json") and "blocks" in json.load(open(os.path.join(out, entry))):
            with open(os.path.join(folder, f"{kind}.{rest.removesuffix('.json')}.tsv"), "w") as file:
                print(*COLUMNS, sep="\t", file=file)
                for row in rows_of(os.path.join(out, entry)):
                    print(*(row[one] for one in COLUMNS), sep="\t", file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured", nargs="?")
    parser.add_argument("recorded", nargs="?")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--only", nargs="*", default=list(LOOPS))
    parser.add_argument("--keep", nargs=2, metavar=("OUT", "FOLDER"))
    options = parser.parse_args()
    if options.keep:
        return keep(options.syncl, *options.keep)
    inner = os.path.join(options.measured, "r")
    options.recorded = options.recorded or (inner if os.path.isdir(inner) else options.measured)
    table(options)
    return compare(options)


if __name__ == "__main__":
    sys.exit(main())
