#!/usr/bin/env python3
"""Has every example of the rule pages run on a GPU as it stands, and did its lines do what they say? Needs no GPU.

Reads pages.tsv and proofs.tsv, which `make truth` writes. A marked line must have stood still behind the spin, an unmarked one not; the
reads and bytes that syncl counts for a line must be what the runtime did (known.tsv lists where they are not, and why).
What the pages that are no wait say of a line must have been shown (prove_pages.py), and of an unmarked one not.
An example that cannot be run says so above itself: <!-- not run: why -->
"""
import collections
import csv
import sys

import pages
import said
from check_statements import read_known

ROWS, PROOFS = "tests/truth/pages.tsv", "tests/truth/proofs.tsv"
SMALL_BYTES = 65536  # the bus carries them in under 3 us: syncl counts larger copies, and the wait of all


def promises(block):
    hasty = pages.hastes()
    return {n: pages.promise(block.section, block.lines[i], hasty) for n, (i, _) in enumerate(pages.code_lines(block.lines), 1)}


def disagreement(promised, line, then, stood):
    """In words, or ''. stood: all lines on which the host stood still, behind some spin: a wait for an event does only
    behind one that was queued before the event."""
    if promised[line] == "waits" and line not in stood:
        return "marked, but the host did not wait here"
    if then != "-" and promised[int(then)] == "quiet":
        return "unmarked, but the host waits here" if then == str(line) else ""
    return ""


def in_range(measured, low, high):
    return measured <= SMALL_BYTES or low <= measured <= high * 1.001


def counts_differ(line, row, backward):
    """backward: the waits of a backward pass that the lines up to here have prepared."""
    reads, runtime = int(row.reads), int(row.runtime)
    if line.rules and line.reads is not None and row.then == row.line:
        own = line.reads + (backward if ".backward()" in row.statement else 0)
        if reads and own != reads:
            return f"{reads} reads measured ({runtime} waiting calls), syncl counts {own:g}"
    for name in ("to_host", "to_device"):
        measured, (low, high) = int(getattr(row, name)), getattr(line, name)
        if line.rules and not in_range(measured, low, high):
            return f"{measured} bytes went {name}, syncl says {low:g} to {high:g}"
    return ""


def is_known(block, code, known):
    statement = code.strip().removeprefix("v = ")
    return ("", statement) in known or (block.page == "rules/print-tensor.md" and ("print", "*") in known)


def check_block(block, known_digest, rows, spoken, known):
    """Yields what is wrong, as (line of the page, words)."""
    measured = {int(row.line): row for row in rows.get(known_digest, [])}
    if not measured:
        yield block.line, "this example has not run as it stands: `make truth` on a GPU, or <!-- not run: why --> above it"
        return
    if block.kind != "wait" and 0 in measured and measured[0].then == "ran":
        return
    if 0 in measured:
        yield block.line, f"did not run: {measured[0].statement}"
        return
    promised, places, backward = promises(block), dict(enumerate(pages.code_lines(block.lines), 1)), 0
    stood = {int(row.then) for row in measured.values() if row.then != "-"}
    for line in pages.statement_lines(block):
        index, code = places[line]
        row = measured.get(line)
        if row is None:
            yield block.line + index, f"`{code.strip()}` was not reached when the example ran"
            continue
        wrong = disagreement(promised, line, row.then, stood)
        backward += spoken[index].backward
        if not wrong and block.section != "Instead" and not is_known(block, code, known):
            wrong = counts_differ(spoken[index], row, backward)
        if ".backward()" in row.statement:
            backward = 0  # what was prepared has waited
        if wrong:
            yield block.line + index, f"{wrong}: {code.strip()}"


def check_proofs(block, known_digest, proofs, known):
    """What a page that is no wait says of its lines, against what prove_pages.py saw (known.tsv: what was not seen)."""
    lines, seen = pages.numbered(block), {int(row["line"]): row for row in proofs.get(known_digest, [])}
    if not seen:
        yield block.line, "what this example says has not been shown as it stands: `make truth` on a GPU"
    for n, row in sorted(seen.items()):
        index, code, marked = lines.get(n, (0, "", False))
        expected = marked and (block.page, code) not in known
        if row["verdict"] != ("shown" if expected else "not"):
            yield block.line + index, f"{'marked' if expected else 'known' if marked else 'unmarked'}, but {row['proof']} says '{row['verdict']}', {row['measured']}: {code}"
    if "\nFinds: fence_" in pages.read(block.page):
        return  # the marked lines wait, which pages.tsv shows
    for n, (index, code, marked) in lines.items():
        if seen and marked and n not in seen:
            yield block.line + index, f"marked, but not shown: {code}"


def main():
    prelude, rows = pages.read("rules/prelude.py"), collections.defaultdict(list)
    for row in pages.read_rows(ROWS):
        rows[row.block].append(row)
    proofs = collections.defaultdict(list)
    for row in csv.DictReader(pages.read(PROOFS).split("\n"), delimiter="\t", quoting=csv.QUOTE_NONE):
        proofs[row["block"]].append(row)
    blocks = [block for page in pages.pages() for block in pages.blocks(page)]
    spoken = said.run({(b.page, b.line): ([], b.lines) for b in blocks})
    failed, lines, known = collections.Counter(), 0, read_known()
    for block in blocks:
        for number, words in check_proofs(block, pages.digest(block, prelude), proofs, known) if pages.is_shown(block) else ():
            failed[block.page] += 1
            print(f"{block.page}:{number}: {words}")
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
