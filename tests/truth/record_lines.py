"""Are the Python lines of `syncl record` those that PyTorch itself names? Of each wait that torch's debug mode warns of, the
line of the warning beside the innermost line of the recorded stack.

    python3 tests/truth/record_lines.py OUT [--syncl build/syncl] SCRIPT [ARGUMENTS...]     on a machine with a GPU
    python3 tests/truth/record_lines.py --compare OUT

The script runs under `syncl record --stop` with torch.cuda.set_sync_debug_mode("warn"). OUT gets the recording and
warned.tsv: when a warning came (it comes when the operation is over), its file and its line.
"""
import glob
import os
import subprocess
import sys
import time
import types
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLACK_NS = 3000000  # from the end of a wait to its warning


def inside(out, script, *arguments):
    import torch
    table = open(os.path.join(out, "warned.tsv"), "w", buffering=1)

    def note(message, category, filename, lineno, file=None, line=None):
        now = time.time_ns()
        if "synchronizing CUDA operation" in str(message):
            table.write(f"{now}\t{filename}\t{lineno}\n")

    warnings.simplefilter("always")
    warnings.showwarning = note
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=script)
    sys.modules["__main__"] = module
    sys.stdout = open(os.devnull, "w")
    torch.cuda.init()
    torch.cuda.set_sync_debug_mode("warn")
    exec(compile(open(script).read(), script, "exec"), module.__dict__)


def compare(out):
    """(waits, of those with the warning's line, of those the others)"""
    sys.path.insert(0, os.path.join(ROOT, "tests", "record"))
    import recording
    (path,) = glob.glob(os.path.join(out, "rank*.syncl"))
    read = recording.read(path)
    calls = sorted((call for call in read.calls if call.stack), key=lambda call: call.end_ns)
    warned = [line.rstrip("\n").split("\t") for line in open(os.path.join(out, "warned.tsv"))]
    at, same, others = 0, 0, []
    for when, file, line in warned:
        while at < len(calls) and calls[at].end_ns <= int(when):
            at += 1
        if not at or int(when) - calls[at - 1].end_ns > SLACK_NS or int(when) > calls[-1].end_ns:
            continue  # before the recording's first call or behind its last
        said = read.stack(calls[at - 1].stack)[0]
        if (said[0], said[2]) == (file, int(line)):
            same += 1
        else:
            others.append((file, int(line), said))
    return same + len(others), same, others


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--inside":
        return inside(*arguments[1:])
    if arguments[0] == "--compare":
        waits, same, others = compare(arguments[1])
        for other in sorted(set(others))[:20]:
            print(*other)
        print(f"{waits} waits, the same line in {same}")
        return 0
    out, rest = os.path.abspath(arguments[0]), arguments[1:]
    syncl = os.path.join(ROOT, "build", "syncl")
    if rest[0] == "--syncl":
        syncl, rest = os.path.abspath(rest[1]), rest[2:]
    return subprocess.run([syncl, "record", "--stop", "-o", out, "--", sys.executable, os.path.abspath(__file__), "--inside", out, *rest]).returncode


if __name__ == "__main__":
    sys.exit(main())
