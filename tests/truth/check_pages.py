#!/usr/bin/env python3
"""Has every example of the rule pages run on a GPU as it stands, and did its lines do what they say? Needs no GPU.

Reads pages.tsv, which `make truth` writes. A marked line must have stood still behind the spin, an unmarked one not; the
reads and bytes that syncl counts for a line must be what the runtime did (known.tsv lists where they are not, and why).
An example that cannot be run says so above itself: <!-- not run: why -->
"""
import collections
import sys

import pages
import said
from check_statements import read_known

ROWS = "tests/truth/pages.tsv"
SCALAR_BYTES = 64  # what crosses when a value or a few are read; no copy is meant


def promises(block):
    hasty = pages.hastes()
    return {n: pages.promise(block.section, block.lines[i], hasty) for n, (i, _) in enumerate(pages.code_lines(block.lines), 1)}


def disagreement(promised, line, then):
    """In words, or ''."""
    if then == "raises":
        return "raises"
    if promised[line] == "waits" and then != str(line):
        return "marked, but the host did not wait here"
    if then != "-" and promised[int(then)] == "quiet":
        return "unmarked, but the host waits here" if then == str(line) else ""
    return ""


def in_range(measured, low, high):
    """Bytes: nothing is said of what is as small as a few values."""
    return measured <= SCALAR_BYTES if high == 0 else low <= measured <= high or measured <= SCALAR_BYTES


def counts_differ(line, row):
    reads, runtime = int(row.reads), int(row.runtime)
    if line.reads is not None and row.then == row.line:
        own = line.reads + (line.backward if ".backward()" in row.statement else 0)
        if reads and own != reads:
            return f"{reads} reads measured ({runtime} waiting calls), syncl counts {own:g}"
    for name in ("to_host", "to_device"):
        measured, (low, high) = int(getattr(row, name)), getattr(line, name)
        if line.rules and not in_range(measured, low, high):
            return f"{measured} bytes went {name}, syncl says {low:g} to {high:g}"
    return ""


def check_block(block, known_digest, rows, spoken, known):
    """Yields what is wrong, as (line of the page, words)."""
    measured = {int(row.line): row for row in rows.get(known_digest, [])}
    if not measured:
        yield block.line, "this example has not run as it stands: `make truth` on a GPU, or <!-- not run: why --> above it"
        return
    if block.kind != "wait" and measured[0].then == "ran":
        return
    promised, places = promises(block), dict(enumerate(pages.code_lines(block.lines), 1))
    for line in [0] * (0 in measured) + pages.statement_lines(block):
        index, code = places.get(line, (0, ""))
        row = measured.get(line)
        if row is None:
            yield block.line + index, f"`{code.strip()}` was not reached when the example ran"
            continue
        wrong = disagreement(promised, line, row.then) if line else row.statement
        counts = counts_differ(spoken[index], row) if block.section != "Instead" and line else ""
        key = ("", code.strip())
        if counts and key not in known:
            wrong = wrong or counts
        if wrong:
            yield block.line + index, f"{wrong}: {code.strip()}"


def main():
    prelude, rows = pages.read("rules/prelude.py"), collections.defaultdict(list)
    for row in pages.read_rows(ROWS):
        rows[row.block].append(row)
    blocks = [block for page in pages.pages() for block in pages.blocks(page)]
    spoken = said.run({(b.page, b.line): ([], b.lines) for b in blocks})
    failed, lines, known = collections.Counter(), 0, read_known()
    for block in blocks:
        if block.not_run:
            print(f"note: {block.page}:{block.line} is not run: {block.not_run}")
            continue
        lines += len(pages.statement_lines(block))
        for number, words in check_block(block, pages.digest(block, prelude), rows, spoken[block.page, block.line], known):
            failed[block.page] += 1
            print(f"{block.page}:{number}: {words}")
    every = {block.page for block in blocks}
    devices = sorted({f"{row.gpu}, torch {row.torch}" for group in rows.values() for row in group})
    print(f"note: {lines} lines of {len(blocks)} examples against {ROWS} ({'; '.join(devices)})")
    print(f"[  PASSED  ] {len(every) - len(failed)} test(s).")
    if failed:
        print(f"[  FAILED  ] {len(failed)} test(s).")
    sys.exit(1 if failed else 0)


main()
