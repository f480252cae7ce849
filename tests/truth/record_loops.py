"""Records training loops with `syncl record`, once each, for record_table.py to compare with what trace_loops.py measures.

    python3 tests/truth/record_loops.py OUT [--only NAME ...] [--syncl build/syncl]     on a machine with a GPU

Each loop of trace_changes.py runs as trace_loops.py runs it (one thread for PyTorch's own loops, the garbage collector at
rest, cores of their own for the main thread and the one of the backward pass), under `syncl record --stop`. OUT gets
NAME/, the recordings, and NAME.txt, what syncl said.
"""
import argparse
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from trace_changes import LOOPS, ROOT, loop_source  # noqa: E402
from trace_cores import cores_apart, keep_apart, keep_awake  # noqa: E402

SYNCL, PLACES = os.path.join(ROOT, "build", "syncl"), "SYNCL_TRUTH_PLACES"
LONGEST_S, SETTLED_S = 90, 6


def pin_later(places):
    """The thread of the backward pass is there once a step was made."""
    for _ in range(SETTLED_S):
        time.sleep(1)
        keep_apart(places)


def inside(name, script):
    loop = LOOPS[name]
    ranks, rank = loop.get("ranks", 1), int(os.environ.get("RANK", "0"))
    os.environ.update(loop.get("environment", {}))
    given = json.loads(os.environ.get(PLACES, "null"))
    places = [set(place) for place in given] if given else cores_apart(os.sched_getaffinity(0), rank, ranks)
    for place in (places or ())[:2]:
        keep_awake(place)
    sys.argv = [script, *loop.get("arguments", [])]
    sys.path.insert(0, os.path.join(ROOT, os.path.dirname(loop["path"])))
    import torch
    torch.set_num_threads(1)
    gc.collect()
    gc.disable()
    threading.Thread(target=pin_later, args=(places,), daemon=True).start()
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=script)
    sys.modules["__main__"] = module
    sys.stdout = open(os.devnull, "w")
    exec(compile(open(script).read(), script, "exec"), module.__dict__)


def recorded_in(folder):
    """The processes that run under `syncl record -o FOLDER`, by what it set for them: torchrun's ranks are a session each."""
    mark = b"SYNCL_RECORD_DIR=" + os.path.realpath(folder).encode()
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    yield int(process)
        except OSError:
            pass


def end_recorded(folder):
    """What is left over would use the GPU while the next loops are measured."""
    for process in recorded_in(folder):
        print(f"{folder}: process {process} was left over", flush=True)
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


def record(name, out, places=None, syncl=SYNCL):
    """places: the cores that it is measured on."""
    loop = LOOPS[name]
    from trace_loops import sets_of  # which records by this
    script = os.path.join(out, "src", name, os.path.basename(loop["path"]))
    os.makedirs(os.path.dirname(script), exist_ok=True)
    with open(script, "w") as file:
        file.write(loop_source(loop, sets_of(loop)["full"]))
    ranks = loop.get("ranks", 1)
    launcher = [sys.executable, *(["-m", "torch.distributed.run", f"--nproc-per-node={ranks}"] if ranks > 1 else [])]
    cores = json.dumps([sorted(place) for place in places]) if places and ranks == 1 else "null"
    began = time.monotonic()
    command = [syncl, "record", "--stop", "-o", os.path.join(out, name), "--",
               *launcher, os.path.abspath(__file__), "--inside", name, script]
    with open(os.path.join(out, name + ".txt"), "w") as said:
        running = subprocess.Popen(command, stdout=said, stderr=said, cwd=os.path.dirname(script),
                                   env=os.environ | {PLACES: cores})
        try:
            status = running.wait(LONGEST_S)
        except subprocess.TimeoutExpired:
            status = "too long"
        end_recorded(os.path.join(out, name))
        running.wait()
    print(f"{name}: status {status} {time.monotonic() - began:.1f} s", flush=True)


def main():
    if sys.argv[1] == "--inside":
        return inside(*sys.argv[2:4])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--only", nargs="*", default=list(LOOPS))
    parser.add_argument("--syncl", default=SYNCL)
    args = parser.parse_args()
    for name in args.only:
        record(name, os.path.abspath(args.out), syncl=os.path.abspath(args.syncl))


if __name__ == "__main__":
    sys.exit(main())
