"""What --trace predicts beside what was measured.

    python3 tests/truth/trace_table.py RESULTS [--syncl build/syncl] [--mode cuda cpu stack] [--raw OUT.tsv]

RESULTS is the folder that trace_loops.py filled. For every set of changes the script is given to syncl with
`# syncl: allow` on the lines that stay, so that `saving_all_us` is the price of the set. Measured: per round, time with
everything in (the mean of `full` and `again`) less time with the set out; the middle is the Hodges-Lehmann estimate over
the rounds, the half-width that of Wilcoxon's 95 % interval. A row counts when that is at most max(20 us, 0.3 % of the
step). `zero`: the loss is within its half-width of 0, or below max(20 us, 0.3 %); then the prediction has to be below
that, too. Else the ratio of predicted and measured has to lie in 0.8 .. 1.25.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS  # noqa: E402
from trace_loops import ROOT, difference, hodges_lehmann  # noqa: E402


def read_rounds(path):
    lines = open(path).read().splitlines()
    names = lines[0].split("\t")[1:]
    return [dict(zip(names, map(float, line.split("\t")[1:]))) for line in lines[1:]]


def with_allows(source, changes, out):
    """The script with an allow on every line that waits and stays: all lines but those of the set."""
    lines = source.splitlines()
    wanted = {before for name, before, _ in changes if name in out}
    for i, line in enumerate(lines):
        code = line.split("  # ")[0]
        lines[i] = code if code.strip() in wanted or not code.strip() or code.strip().endswith(("\\", '"""')) else code + "  # syncl: allow"
    return "\n".join(lines) + "\n"


def predict(syncl, name, trace, out, more):
    loop = LOOPS[name]
    source_path = os.path.join(ROOT, loop["path"])
    with tempfile.TemporaryDirectory() as folder:
        for other in os.listdir(os.path.dirname(source_path)):
            if other.endswith("_common.py"):
                with open(os.path.join(folder, other), "w") as file:
                    file.write(open(os.path.join(os.path.dirname(source_path), other)).read())
        script = os.path.join(folder, os.path.basename(source_path))
        with open(script, "w") as file:
            file.write(with_allows(open(source_path).read(), loop["changes"], out))
        run = subprocess.run([syncl, "--output-format=json", "--exit-zero", "--trace", trace, *more, script],
                             capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip()
    report = json.loads(run.stdout)
    seen = sum(f["cost"]["basis"] == "trace" for f in report["findings"])
    return report["trace"], f"{seen}/{len(report['findings'])}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--mode", nargs="*", default=["cuda", "cpu", "stack"])
    parser.add_argument("--only", nargs="*", default=list(LOOPS))
    parser.add_argument("--step-time", action="store_true", help="give syncl the step time without the profiler")
    args = parser.parse_args()
    counts = {mode: [0] * 5 for mode in args.mode}  # right, wrong, zero right, zero wrong, within the half-width
    print("loop\tset\trounds\tstep_us\tsaved_us\thalf_width_us\tcounts\t" +
          "\t".join(f"{m}_step_us\t{m}_us\t{m}_ratio\t{m}_seen" for m in args.mode))
    for name in args.only:
        table = os.path.join(args.results, name + ".tsv")
        if not os.path.exists(table):
            continue
        rounds = read_rounds(table)
        step = statistics.median((r["full"] + r["again"]) / 2 for r in rounds)
        changes = [c[0] for c in LOOPS[name]["changes"]]
        sets = {"again": None, **{"-" + c: [c] for c in changes}}
        if len(changes) > 1:
            sets["-all"] = changes
        for which, out in sets.items():
            saved, half = hodges_lehmann([difference(row, which) for row in rounds])
            limit = max(20, 0.003 * step)
            counted = half <= limit
            zero = saved <= max(half, limit)
            cells = []
            for mode in args.mode if out is not None else []:
                trace = os.path.join(args.results, f"{name}.{mode}.json.gz")
                more = [f"--step-time={step:.0f}us"] if args.step_time else []
                said, seen = predict(args.syncl, name, trace, out, more)
                if not said:
                    cells.append(f"\t\t{seen}\t")
                    continue
                price = said["saving_all_us"] if said["trusted"] else float("nan")
                if zero:
                    right = price <= limit * 1.5 or price <= saved + half
                    mark = "zero" if right else "NOT ZERO"
                else:
                    right = 0.8 <= price / saved <= 1.25
                    near = 0.8 * (saved - half) <= price <= 1.25 * (saved + half)
                    mark = f"{price / saved:.2f}" + ("" if right else " ~" if near else " X")
                    if counted:
                        counts[mode][4] += near
                if counted:
                    counts[mode][(0 if right else 1) + (2 if zero else 0)] += 1
                cells.append(f"{said['step_us']:.0f}\t{price:.0f}\t{mark}\t{seen}")
            print(f"{name}\t{which}\t{len(rounds)}\t{step:.0f}\t{saved:.0f}\t{half:.0f}\t{'yes' if counted else 'no'}\t" + "\t".join(cells))
    for mode, (right, wrong, zeros, not_zeros, near) in counts.items():
        print(f"# {mode}: {right} of {right + wrong} losses within 0.8..1.25, {near} of them where the measurement's own half-width "
              f"is allowed for; {zeros} of {zeros + not_zeros} zeros said to be zero")


if __name__ == "__main__":
    main()
