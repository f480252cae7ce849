"""A recording of a loop that never ran, for tests that need one they know: python3 forge.py OUT.syncl [SCRIPT [SLOWER]]

Twenty clean steps, then one detailed burst of ten; a step takes STEP us, in which a thread queues work,
another the backward pass, and lines 13 and 16 of SCRIPT wait. While it is
recorded in detail everything takes SLOWER times as long."""
import struct
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0] if "/" in __file__ else ".")
from recording import API, CALL, CLEAN, DETAIL, DONE, END, FACT, FRAME, PHASE, STACK, SWITCH, TEXT, WARM, WORK, sum_of

STEP = 2000
TEXTS = ["", "cudaLaunchKernel", "cudaMemcpyAsync", "cudaStreamSynchronize", "cudaDeviceSynchronize", "gemm", "backward",
         "multi_tensor_apply_kernel", "train.py", "<module>", "/x/site-packages/torch/cuda/__init__.py", "synchronize"]
KERNELS = [(5, 1, 300), (5, 1, 200), (6, 2, 500), (6, 2, 300), (7, 1, 100)]  # name, thread, us


def row(kind, data):
    return struct.pack("<HH", kind, len(data)) + data


def forge(script="train.py", slower="1"):
    rows, correlation = [], [0]
    texts = [script if text == "train.py" else text for text in TEXTS]
    rows += [row(FACT, b"folder=/x"), row(FACT, b"python=3.12")]
    rows += [row(TEXT, struct.pack("<I", i) + text.encode()) for i, text in enumerate(texts) if i]
    rows += [row(FRAME, struct.pack("<IIII", *frame)) for frame in ((1, 8, 9, 13), (2, 8, 9, 16), (3, 10, 11, 1162))]
    rows += [row(STACK, struct.pack("<II", 1, 1)), row(STACK, struct.pack("<III", 2, 3, 2))]

    def call(kind, at, took, name, thread, stack=0):
        correlation[0] += kind == API
        rows.append(row(kind, struct.pack("<QQIIII", int(at * 1e3), int((at + took) * 1e3), correlation[0], thread, name, stack)))

    def work(at, took, name=0, kind=0, size=0, stream=7):
        rows.append(row(WORK, struct.pack("<QQQIIIIII", int(at * 1e3), int((at + took) * 1e3), size, correlation[0], stream, 0, name, kind, 0)))

    def phase(at, which):
        rows.append(row(PHASE, struct.pack("<QII", int(at * 1e3), which, 1)))

    def step(at, detailed):
        def later(us):
            return us * float(slower) if detailed else us

        gpu = at + later(20)
        for i, (name, thread, took) in enumerate(KERNELS):
            took = later(took)
            if detailed:
                call(API, at + later(10 + 10 * i), later(5), name=1, thread=thread)
                work(gpu, took, name)
            gpu += took
        for name, stack, begin, took in ((2, 1, later(100), later(5)), (3, 1, later(110), gpu - at - later(105)),
                                         (4, 2, gpu - at + later(20), later(10))):
            if detailed:
                call(API, at + begin, took, name, 1)
                if name == 2:
                    work(gpu, 2, kind=3, size=4)
            call(CALL, at + begin, took, name, 1, stack)

    at = 1e6
    phase(at, WARM)
    phase(at - 5, CLEAN)
    for _ in range(20):
        step(at, False)
        at += STEP
    phase(at - 10, SWITCH), phase(at - 5, DETAIL)
    for _ in range(10):
        step(at, True)
        at += STEP * float(slower)
    phase(at - 10, SWITCH), phase(at - 5, DONE)
    rows.append(row(END, struct.pack("<QIIII", int(at * 1e3), 0, 0, 0, 0)))
    data = struct.pack("<8sIIII", b"SYNCLREC", 1, 0, 4711, 1)
    for first in range(0, len(rows), 100):
        chunk = b"".join(rows[first:first + 100])
        data += struct.pack("<IIQ", len(chunk), 0, sum_of(chunk)) + chunk
    return data


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(forge(*sys.argv[2:]))
