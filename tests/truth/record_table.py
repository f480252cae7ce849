"""What one `syncl record` predicts beside what was measured.

    python3 tests/truth/record_table.py MEASURED RECORDED [--syncl build/syncl] [--only NAME ...]

MEASURED is what trace_loops.py filled, RECORDED what record_loops.py did. Columns and verdicts are those of
trace_table.py; `clean_us` is the step as the recording measured it without detail.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, ROOT  # noqa: E402
from trace_loops import LEAST_ROUNDS, sets_of  # noqa: E402
from trace_table import Row, predict, read_rounds, verdict  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured")
    parser.add_argument("recorded")
    parser.add_argument("--syncl", default=os.path.join(ROOT, "build", "syncl"))
    parser.add_argument("--only", nargs="*", default=list(LOOPS))
    args = parser.parse_args()
    clear, right_clear, zeros, right_zeros, untrusted = 0, 0, 0, 0, 0
    print("loop\tset\trounds\tstep_us\tclean_us\tsaved_us\thalf_width_us\trecorded_us\trange\tverdict")
    for name in args.only:
        table, folder = os.path.join(args.measured, name + ".tsv"), os.path.join(args.recorded, name)
        rounds = read_rounds(table) if os.path.exists(table) and os.path.isdir(folder) else []
        base = sets_of(LOOPS[name])["full"]
        for which, out in sets_of(LOOPS[name]).items() if rounds else ():
            if which[0] != "-":
                continue
            row = Row(name, which, rounds)
            said, why = predict(args.syncl, LOOPS[name], [folder], base, [one for one in out if one not in base], [])
            begin = f"{name}\t{which}\t{row.rounds}\t{row.step:.0f}"
            if not said or not said["trusted"]:
                print(f"{begin}\t\t{row.saved:.0f}\t{row.half:.0f}\t\t\tnot trusted: {said['distrust'] if said else why}")
                untrusted += 1
                continue
            mark, right, _ = verdict(said["saving_all_us"], row.saved, row.half, row.limit)
            if row.rounds >= LEAST_ROUNDS:
                clear, right_clear = clear + row.clear, right_clear + (row.clear and right)
                zeros, right_zeros = zeros + row.zero, right_zeros + (row.zero and right)
            low, high = (said["saving_all_range"][end] for end in ("low_us", "high_us"))
            print(f"{begin}\t{said['unprofiled_us']:.0f}\t{row.saved:.0f}\t{row.half:.0f}\t{said['saving_all_us']:.0f}\t"
                  f"{low:.0f}..{high:.0f}\t{mark}")
    print(f"# of {clear} losses above five half-widths {right_clear} within 0.8..1.25; of {zeros} zeros {right_zeros} said; "
          f"{untrusted} without a price; rows of fewer than {LEAST_ROUNDS} rounds are not counted")


if __name__ == "__main__":
    sys.exit(main())
