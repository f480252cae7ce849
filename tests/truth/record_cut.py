"""A recording of `syncl record`, small enough to keep: the clean steps, one of its detailed bursts, and no folders of the machine.

    python3 tests/truth/record_cut.py IN.syncl[.gz] OUT.syncl.gz [BURST]     from 0

Paths of the script and of this repository are told from their folders on; installed packages keep theirs.
"""
import gzip
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "record"))
from recording import API, CALL, CLEAN, DETAIL, FACT, PHASE, TEXT, WARM, WORK, rows, sum_of  # noqa: E402

ROWS = 500  # of a chunk
AFTER_NS = 200_000_000  # work queued in a burst may end after it


def windows(phases, burst):
    """(from, to) of what is kept: clean steps before the first burst, and the burst itself."""
    ends = [(at, phase, end) for (at, phase), (end, _) in zip(phases, phases[1:])]
    details = [(at, end) for at, phase, end in ends if phase == DETAIL]
    first = next(at for at, phase, _ in ends if phase not in (WARM, CLEAN) and phase != 3)
    return [(at, end) for at, phase, end in ends if phase == CLEAN and at < first], details[burst]


def here(text, folder):
    """Of an absolute path what is of the run itself."""
    for root in (folder + "/", "/tests/truth/"):
        if root in text and "/" + "site-packages" not in text:
            return text[text.index(root) + (len(root) if root != "/tests/truth/" else 1):]
    return text


def cut(data, burst):
    everything = list(rows(data))
    facts = dict(row.decode().partition("=")[::2] for kind, row in everything if kind == FACT)
    phases = [struct.unpack("<QII", row)[:2] for kind, row in everything if kind == PHASE]
    clean, detail = windows(phases, burst)
    for kind, row in everything:
        if kind == FACT:
            key, _, value = row.decode().partition("=")
            value = {"folder": ".", "command": " ".join(os.path.basename(word) for word in value.split())}.get(key, value)
            row = f"{key}={value}".encode()
        elif kind == TEXT:
            row = row[:4] + here(row[4:].decode(), facts.get("folder", "/nowhere")).encode()
        elif kind in (CALL, API, WORK):
            at = struct.unpack_from("<Q", row)[0]
            within = detail[0] <= at < detail[1] + (AFTER_NS if kind == WORK else 0)
            if not within and (kind != CALL or not any(a <= at < b for a, b in clean)):
                continue
        elif kind == PHASE:
            at, phase, anchor = struct.unpack("<QII", row)
            if phase in (CLEAN, DETAIL) and at != detail[0] and at not in [a for a, _ in clean]:
                row = struct.pack("<QII", at, 3, anchor)
            elif phase not in (WARM, CLEAN, DETAIL, 4):
                row = struct.pack("<QII", at, 3, anchor)
        yield kind, row


def main():
    path, out, *burst = sys.argv[1:]
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    kept = [struct.pack("<HH", kind, len(row)) + row for kind, row in cut(data, int(burst[0]) if burst else 0)]
    with open(out, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.write(data[:24])
        for first in range(0, len(kept), ROWS):
            chunk = b"".join(kept[first:first + ROWS])
            file.write(struct.pack("<IIQ", len(chunk), 0, sum_of(chunk)) + chunk)


if __name__ == "__main__":
    sys.exit(main())
