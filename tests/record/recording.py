"""A recording (analyzer/trace/record_format.h) in Python, for tests that look into one: read(path) -> Recording."""
import struct
from collections import namedtuple

FACT, TEXT, FRAME, STACK, CALL, API, WORK, PHASE, END, SOURCE = range(1, 11)
WARM, CLEAN, DETAIL, SWITCH, DONE, WORKS = range(6)
Call = namedtuple("Call", "start_ns end_ns correlation thread name stack")
Work = namedtuple("Work", "start_ns end_ns bytes correlation stream device name kind pageable")
End = namedtuple("End", "at_ns dropped_calls dropped_works stackless faults")


class Recording:
    def __init__(self):
        self.facts, self.texts, self.frames, self.stacks = {}, {}, {}, {}
        self.calls, self.apis, self.works, self.phases, self.end = [], [], [], [], None

    def stack(self, number):
        """[(file, function, line)], innermost first."""
        frames = [self.frames[frame] for frame in self.stacks.get(number, ())]
        return [(self.texts[file], self.texts[name], line) for file, name, line in frames]

    def name(self, call):
        return self.texts[call.name]


def sum_of(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 & (1 << 64) - 1
    return total


def rows(data):
    assert data[:8] == b"SYNCLREC", data[:8]
    at = 24
    while at + 16 <= len(data):
        length, _, total = struct.unpack_from("<IIQ", data, at)
        chunk, at = data[at + 16:at + 16 + length], at + 16 + length
        assert len(chunk) == length and sum_of(chunk) == total, "a chunk is cut off or broken"
        inner = 0
        while inner < length:
            kind, size = struct.unpack_from("<HH", chunk, inner)
            yield kind, chunk[inner + 4:inner + 4 + size]
            inner += 4 + size


def read(path):
    recording = Recording()
    for kind, row in rows(open(path, "rb").read()):
        if kind == FACT:
            key, _, value = row.decode().partition("=")
            recording.facts[key] = value
        elif kind == TEXT:
            recording.texts[struct.unpack_from("<I", row)[0]] = row[4:].decode()
        elif kind == FRAME:
            number, *rest = struct.unpack("<IIIi", row)
            recording.frames[number] = rest
        elif kind == STACK:
            number, *frames = struct.unpack(f"<{len(row) // 4}I", row)
            recording.stacks[number] = frames
        elif kind in (CALL, API):
            (recording.calls if kind == CALL else recording.apis).append(Call(*struct.unpack("<QQIIII", row)))
        elif kind == WORK:
            recording.works.append(Work(*struct.unpack("<QQQIIIIII", row)))
        elif kind == PHASE:
            recording.phases.append(struct.unpack("<QII", row))
        elif kind == END:
            recording.end = End(*struct.unpack("<QIIII", row))
    return recording
