"""A recording of a loop that never ran, for tests that need one they know:

    python3 forge.py OUT.syncl [SCRIPT [SLOWER [SPREAD [MORE [OTHERS]]]]]

Twenty clean steps, then ten while the GPU's work is told, then one detailed burst of ten; a step takes STEP us, in which a
thread queues work, another the backward pass, and lines 13 and 16 of SCRIPT wait. While it is recorded in detail everything
takes SLOWER times as long, and 1.02 times while its work is told; clean steps take by turns, four at a time, SPREAD of a step
more and less. MORE is what each detailed step takes longer behind its last wait, in us;
for OTHERS us of each of them the GPU is with another program, before the step's third kernel begins.

    python3 forge.py --two-loops OUT.syncl SCRIPT

Line 12 of SCRIPT turns 60 times, a turn takes 500 us; then line 18 20 times, a turn takes 2000 us; both call line 7,
which waits. Clean first, then in detail.
"""
import os
import struct
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0] if "/" in __file__ else ".")
from recording import API, CALL, CLEAN, DETAIL, DONE, END, FACT, FRAME, PHASE, SOURCE, STACK, SWITCH, TEXT, WARM, WORK, WORKS, sum_of

STEP = 2000
TEXTS = ["", "cudaLaunchKernel", "cudaMemcpyAsync", "cudaStreamSynchronize", "cudaDeviceSynchronize", "gemm", "backward",
         "multi_tensor_apply_kernel", "train.py", "<module>", "/x/site-packages/torch/cuda/__init__.py", "synchronize"]
KERNELS = [(5, 1, 300), (5, 1, 200), (6, 2, 500), (6, 2, 300), (7, 1, 100)]  # name, thread, us


def line_hash(line):
    total = 0x811c9dc5
    for byte in line.strip(b" \t\r"):
        total = (total ^ byte) * 0x01000193 & 0xffffffff
    return total


def row(kind, data):
    return struct.pack("<HH", kind, len(data)) + data


class Forge:
    def __init__(self, script, frames, stacks):
        texts = [script if text == "train.py" else text for text in TEXTS]
        self.correlation = 0
        self.rows = [row(FACT, b"folder=/x"), row(FACT, b"python=3.12")]
        self.rows += [row(TEXT, struct.pack("<I", i) + text.encode()) for i, text in enumerate(texts) if i]
        self.rows += [row(FRAME, struct.pack("<IIII", *frame)) for frame in frames]
        if os.path.exists(script):
            lines = [line_hash(line) for line in open(script, "rb").read().removesuffix(b"\n").split(b"\n")]
            self.rows.append(row(SOURCE, struct.pack(f"<{len(lines) + 1}I", TEXTS.index("train.py"), *lines)))
        self.rows += [row(STACK, struct.pack(f"<{len(stack)}I", *stack)) for stack in stacks]

    def call(self, kind, at, took, name, thread, stack=0):
        self.correlation += kind == API
        self.rows.append(row(kind, struct.pack("<QQIIII", int(at * 1e3), int((at + took) * 1e3), self.correlation, thread, name, stack)))

    def work(self, at, took, name=0, kind=0, size=0, stream=7):
        self.rows.append(row(WORK, struct.pack("<QQQIIIIII", int(at * 1e3), int((at + took) * 1e3), size, self.correlation, stream, 0, name, kind, 0)))

    def phase(self, at, which):
        self.rows.append(row(PHASE, struct.pack("<QII", int(at * 1e3), which, 1)))

    def watched(self, at, took, name, stack, detailed):
        if detailed:
            self.call(API, at, took, name, 1)
        self.call(CALL, at, took, name, 1, stack)

    def file(self, at):
        self.rows.append(row(END, struct.pack("<QIIII", int(at * 1e3), 0, 0, 0, 0)))
        data = struct.pack("<8sIIII", b"SYNCLREC", 1, 0, 4711, 1)
        for first in range(0, len(self.rows), 100):
            chunk = b"".join(self.rows[first:first + 100])
            data += struct.pack("<IIQ", len(chunk), 0, sum_of(chunk)) + chunk
        return data


def forge(script="train.py", slower="1", spread="0", more="0", others="0"):
    it = Forge(script, ((1, 8, 9, 13), (2, 8, 9, 16), (3, 10, 11, 1162)), ((1, 1), (2, 3, 2)))

    def step(at, detailed):
        def later(us):
            return us * float(slower) if detailed else us

        gpu = at + later(20)
        for i, (name, thread, took) in enumerate(KERNELS):
            took = later(took)
            gpu += float(others) if detailed and i == 2 else 0
            if detailed:
                it.call(API, at + later(10 + 10 * i), later(5), name=1, thread=thread)
                it.work(gpu, took, name)
            gpu += took
        for name, stack, begin, took in ((2, 1, later(100), later(5)), (3, 1, later(110), gpu - at - later(105)),
                                         (4, 2, gpu - at + later(20), later(10))):
            if detailed:
                it.call(API, at + begin, took, name, 1)
                if name == 2:
                    it.work(gpu, 2, kind=3, size=4)
            it.call(CALL, at + begin, took, name, 1, stack)

    at = 1e6
    it.phase(at, WARM)
    it.phase(at - 5, CLEAN)
    for i in range(20):
        step(at, False)
        at += STEP * (1 + float(spread) * (1 if i // 4 % 2 else -1))
    it.phase(at - 10, SWITCH), it.phase(at - 5, WORKS)
    for _ in range(10):
        step(at, False)
        at += STEP * 1.02
    it.phase(at - 10, SWITCH), it.phase(at - 5, DETAIL)
    for _ in range(10):
        step(at, True)
        at += STEP * float(slower) + float(more) + float(others)
    it.phase(at - 10, SWITCH), it.phase(at - 5, DONE)
    return it.file(at)


def forge_two(script):
    it = Forge(script, ((1, 8, 9, 7), (2, 8, 9, 12), (3, 8, 9, 18)), ((1, 1, 2), (2, 1, 3)))

    def turn(at, took, stack, kernels, detailed):
        gpu = at + 20
        for i in range(kernels if detailed else 0):
            it.call(API, at + 10 + 10 * i, 5, name=1, thread=1)
            it.work(gpu + i * (took - 100) / kernels, (took - 100) / kernels, 5 + (i + 1 == kernels and stack == 2) * 2)
        it.watched(at + 80, 5, 2, stack, detailed)
        if detailed:
            it.work(at + took - 75, 2, kind=3, size=4)
        it.watched(at + 90, took - 160, 3, stack, detailed)
        return at + took

    def iterations(at, count, detailed):
        for _ in range(count):
            for _ in range(60):
                at = turn(at, 500, 1, 3, detailed)
            for _ in range(20):
                at = turn(at, 2000, 2, 6, detailed)
        return at

    it.phase(1e6, WARM), it.phase(1e6, CLEAN)
    at = iterations(1e6 + 5, 2, False)
    it.phase(at, SWITCH), it.phase(at, DETAIL)
    at = iterations(at + 5, 2, True)
    it.phase(at, SWITCH), it.phase(at, DONE)
    return it.file(at)


if __name__ == "__main__":
    two = sys.argv[1] == "--two-loops"
    out, *more = sys.argv[1 + two:]
    with open(out, "wb") as file:
        file.write((forge_two if two else forge)(*more))
