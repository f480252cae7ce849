"""What --trace predicts beside what was measured.

    python3 tests/truth/trace_table.py RESULTS [--syncl build/syncl] [--mode cuda cpu stack] [--raw OUT.tsv]

RESULTS is the folder that trace_loops.py filled. For every set of changes the script is given to syncl with
`# syncl: allow` on the lines that stay, so that `saving_all_us` is the price of the set. Measured: per round, time with
everything in (the mean of `full` and `again`) less time with the set out; the middle is the Hodges-Lehmann estimate over
the rounds, the half-width that of Wilcoxon's 95 % interval. A row counts when there are 20 of
them and that is at most max(20 us, 0.3 % of the step). `zero`: the loss is within its half-width of 0, or below max(20 us, 0.3 %); then the prediction has to be below
that, too. Else the ratio of predicted and measured has to lie in 0.8 .. 1.25. A loss of at least five half-widths
exceeds the noise (README.md). All recordings of a set (NAME.MODE, -b .. -f) are given to syncl together. Of a set that was
recorded twice the first is, and the second where the report on the first asks for another. One that can't be trusted has no
price and is counted apart. The last line counts losses of five half-widths or more whose half-width is too large to count as well.
`told`: whether the range of the report holds the measured middle. Traces may be packed (trace_pack.py).
"""
import argparse
import functools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, ROOT, loop_source  # noqa: E402
from trace_loops import LEAST_ROUNDS, RECORDINGS, difference, hodges_lehmann, rank_suffix, sets_of  # noqa: E402
from trace_pack import unpack  # noqa: E402

CLEAR = 5  # half-widths
UNTRUSTED = "not trusted"  # the report gives no price, and says why
SLOWED = 1.25  # from here on the report asks for another recording


def read_rounds(path):
    lines = open(path).read().splitlines()
    names = lines[0].split("\t")[1:]
    return [dict(zip(names, map(float, line.split("\t")[1:]))) for line in lines[1:]]


def with_allows(source, wanted):
    """The script with an allow on every line that waits and stays: all lines but those of the set."""
    lines = source.splitlines()
    for i, line in enumerate(lines):
        code = re.sub(r"  #[ +].*", "", line)
        stays = line.split("  # ")[0].strip() not in wanted
        if stays and code.strip() and not code.strip().endswith(("\\", '"""')):
            lines[i] = code + "  # syncl: allow"
    return "\n".join(lines) + "\n"


def kept_trace(folder, loop, name):
    """As it came back, or packed; None: not there."""
    paths = [os.path.join(folder, f"{loop}.{name}{ending}") for ending in (".json.gz", ".xz")]
    return next(filter(os.path.exists, paths), None)


@functools.lru_cache(maxsize=16)
def unpacked(trace):
    """Several rows are of the same traces."""
    with open(trace, "rb") as packed:
        return unpack(packed.read())


def readable(trace, folder):
    """A trace that syncl reads."""
    if not trace.endswith(".xz"):
        return trace
    path = os.path.join(folder, os.path.basename(trace).removesuffix(".xz") + ".json")
    with open(path, "w") as plain:
        plain.write(unpacked(trace))
    return path


def kept_traces(folder, loop, name, recordings=len(RECORDINGS)):
    """Recording by recording, of each the ranks."""
    names = [name + suffix + rank_suffix(rank) for suffix in RECORDINGS[:recordings] for rank in range(LOOPS[loop].get("ranks", 1))]
    return [path for path in (kept_trace(folder, loop, one) for one in names) if path]


def predict(syncl, loop, traces, out, leaves, more):
    """What --trace says of the script without the changes `out` when those that leave do."""
    source_path = os.path.join(ROOT, loop["path"])
    wanted = {before for name, before, _ in loop["changes"] if name in leaves}
    with tempfile.TemporaryDirectory() as folder:
        for other in os.listdir(os.path.dirname(source_path)):
            if other.endswith("_common.py"):
                with open(os.path.join(folder, other), "w") as file:
                    file.write(open(os.path.join(os.path.dirname(source_path), other)).read())
        script = os.path.join(folder, os.path.basename(source_path))
        with open(script, "w") as file:
            file.write(with_allows(loop_source(loop, out), wanted))
        given = [f"--trace={readable(trace, folder)}" for trace in traces]
        run = subprocess.run([syncl, "--output-format=json", "--exit-zero", *given, *more, script],
                             capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip()
    report = json.loads(run.stdout)
    seen = sum(f["cost"]["basis"] == "trace" for f in report["findings"])
    return report["trace"], f"{seen}/{len(report['findings'])}"


def predict_of(syncl, loop, traces, out, leaves, more):
    """What --trace says of all recordings; of two, what it says of the second where the report on the first asks for one."""
    if len(traces) > 2:
        return predict(syncl, loop, traces, out, leaves, more)
    said, seen = predict(syncl, loop, traces[:1], out, leaves, more)
    if (not said or not said["trusted"] or said["slowed"] > SLOWED) and traces[1:]:
        return predict(syncl, loop, traces[1:], out, leaves, more)
    return said, seen


def traces_of(loop, which, modes):
    """{column: (trace, changes out of the script, changes that leave)}"""
    sets = sets_of(loop)
    base = sets["full"]
    if which[0] == "+":
        return {"cuda": (which[1:], sets[which], [which[1:]])} if "cuda" in modes else {}
    leaves = [name for name in sets[which] if name not in base]
    return {mode: (mode, base, leaves) for mode in modes}


def profile_of(folder):
    """A recording whose machine was calibrated is priced by that profile."""
    path = os.path.join(folder, "machine.json")
    return [f"--profile={path}"] if os.path.exists(path) else []


def verdict(price, saved, half, limit):
    """(text, right, right where the measurement's half-width is allowed for)"""
    if saved <= max(half, limit):
        right = price <= limit * 1.5 or price <= saved + half
        return ("zero" if right else "NOT ZERO"), right, right
    right = 0.8 <= price / saved <= 1.25
    near = 0.8 * (saved - half) <= price <= 1.25 * (saved + half)
    return f"{price / saved:.2f}" + ("" if right else " ~" if near else " X"), right, near


class Row:
    """One set of a loop: what it was measured to save."""

    def __init__(self, name, which, rounds):
        self.name, self.which, self.rounds = name, which, len(rounds)
        self.step = statistics.median((r["full"] + r["again"]) / 2 for r in rounds)
        if which[0] == "+":
            self.step = statistics.median(r[which] for r in rounds)
        self.saved, self.half = hodges_lehmann([difference(row, which) for row in rounds])
        self.limit = max(20, 0.003 * self.step)
        self.counted = self.half <= self.limit and len(rounds) >= LEAST_ROUNDS
        self.zero = self.saved <= max(self.half, self.limit)
        self.clear = not self.zero and self.saved >= CLEAR * self.half


def cells_of(args, row, counts):
    cells, loop = [], LOOPS[row.name]
    traces = traces_of(loop, row.which, args.mode) if row.which != "again" else {}
    for mode in args.mode:
        paths = kept_traces(args.results, row.name, traces[mode][0], args.recordings) if mode in traces else []
        if not paths:
            cells.append("\t\t\t\t\t")
            continue
        more = profile_of(args.results) + [f"--step-time={row.step:.0f}us"] * args.step_time
        said, seen = predict_of(args.syncl, loop, paths, *traces[mode][1:], more)
        if not said:
            cells.append(f"\t\t{seen}\t\t\t")
            continue
        told = "\t"
        if said["trusted"]:
            price = said["saving_all_us"]
            mark, right, near = verdict(price, row.saved, row.half, row.limit)
            low, high = (said["saving_all_range"][end] for end in ("low_us", "high_us"))
            holds = low <= row.saved <= high
            told = f"{low:.0f}..{high:.0f}\t{'yes' if holds else 'no'}"
            counts[mode]["told"] += row.counted and row.clear and holds
            any_clear = row.clear and row.rounds >= LEAST_ROUNDS
            counts[mode]["any"] = [a + b * any_clear for a, b in zip(counts[mode]["any"], (1, right))]
        else:
            price, mark = float("nan"), UNTRUSTED
            counts[mode][UNTRUSTED] += row.counted
        if row.counted and said["trusted"]:
            for kind, holds in (("zero", row.zero), ("loss", not row.zero), ("clear", row.clear)):
                counts[mode][kind] = [a + b * holds for a, b in zip(counts[mode][kind], (1, right, near))]
        cells.append(f"{said['step_us']:.0f}\t{price:.0f}\t{mark}\t{seen}\t{told}")
    return "\t".join(cells)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--mode", nargs="*", default=["cuda", "cpu", "stack"])
    parser.add_argument("--only", nargs="*", default=list(LOOPS))
    parser.add_argument("--recordings", type=int, default=len(RECORDINGS), help="how many of each set are used")
    parser.add_argument("--step-time", action="store_true", help="give syncl the step time without the profiler")
    args = parser.parse_args()
    counts = {mode: {kind: [0, 0, 0] for kind in ("loss", "zero", "clear")} | {UNTRUSTED: 0, "told": 0, "any": [0, 0]} for mode in args.mode}
    print("loop\tset\trounds\tstep_us\tsaved_us\thalf_width_us\tcounts\t" +
          "\t".join(f"{m}_step_us\t{m}_us\t{m}_ratio\t{m}_seen\t{m}_range\t{m}_told" for m in args.mode))
    for name in args.only:
        table = os.path.join(args.results, name + ".tsv")
        rounds = read_rounds(table) if os.path.exists(table) else []
        for which in sets_of(LOOPS[name]) if rounds else ():
            if which == "full" or which not in rounds[0]:
                continue
            row = Row(name, which, rounds)
            print(f"{name}\t{which}\t{row.rounds}\t{row.step:.0f}\t{row.saved:.0f}\t{row.half:.0f}\t"
                  f"{'yes' if row.counted else 'no'}\t{cells_of(args, row, counts)}")
    for mode, count in counts.items():
        (losses, right, near), (zeros, said, _), (clear, met, _) = count["loss"], count["zero"], count["clear"]
        apart = f"; {count[UNTRUSTED]} not priced, as the trace can't be trusted" * (count[UNTRUSTED] > 0)
        print(f"# {mode}: {right} of {losses} losses within 0.8..1.25, {near} of them where the measurement's own half-width "
              f"is allowed for; of the {clear} that exceed the noise {met}, and the range holds {count['told']}; {said} of {zeros} zeros said to be zero{apart}")
        print(f"# {mode}: of {count['any'][0]} losses of {CLEAR} half-widths or more, whether they count or not, {count['any'][1]}")


if __name__ == "__main__":
    main()
