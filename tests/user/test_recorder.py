#!/usr/bin/env python3
"""libsyncl-record.so in a process of its own, beside a GPU that is not one (tests/record/fake_gpu.c): what it writes of
each Python that is here, and that it never harms the process."""
import glob
import signal
import sys
from bench import *

RECORD = ROOT / "tests" / "record"
sys.path.insert(0, str(RECORD))
import recording  # noqa: E402

LIBRARY, GPU = BUILD / "libsyncl-record.so", BUILD / "record"


def pythons():
    """One interpreter of each version that can be found; PYTHONS names more."""
    found = {}
    for python in [sys.executable, "/usr/bin/python3", *os.environ.get("PYTHONS", "").split(), *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")))]:
        if os.path.exists(python):
            version = subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2], sep='.')"],
                                     capture_output=True, text=True).stdout.strip()
            found.setdefault(version, python)
    return {v: p for v, p in found.items() if tuple(map(int, v.split("."))) >= (3, 8)}


def record(*command, status=0, python=sys.executable, **env):
    """The recordings, and what the command wrote; named env variables are the process's own."""
    os.makedirs("rec", exist_ok=True)
    full = os.environ | {"SYNCL_RECORD_DIR": "rec", "CUDA_INJECTION64_PATH": str(LIBRARY), "FAKE_GPU": str(GPU),
                         "PYTHONPATH": str(RECORD), "PYTHONDONTWRITEBYTECODE": "1"} | env
    done = subprocess.run([python, *map(str, command)], capture_output=True, env=full, timeout=60)
    assert done.returncode == status, (done.returncode, done.stderr.decode()[-2000:])
    return [recording.read(path) for path in sorted(glob.glob("rec/*.syncl"))], done.stdout.decode()


def test_stacks_are_what_python_says_of_itself():
    tried = []
    for version, python in pythons().items():
        shutil.rmtree("rec", ignore_errors=True)
        (told,), out = record(RECORD / "stacks.py", python=python)
        expected = [[tuple(frame) for frame in stack] for stack in json.loads(out)]
        waits = [call for call in told.calls if told.name(call) == "cudaStreamSynchronize"]
        assert len(waits) == len(expected) > 20, (version, len(waits), len(expected))
        for call, stack in zip(waits, expected):
            seen = told.stack(call.stack)
            assert seen[0][1] == "sync", (version, seen[:3])
            assert seen[1:] == stack[:95], (version, seen[:6], stack[:5])
        assert told.facts["python"] == version and told.end.faults == 0
        tried.append(version)
    print("note: Python stacks were read of", ", ".join(tried))


def test_a_stack_is_cut_off_at_its_limit():
    write("deep.py", "from gpu import wait\ndef f(n):\n    return f(n - 1) if n else wait(0)\nf(300)\n")
    (told,), _ = record("deep.py")
    stack = told.stack(told.calls[0].stack)
    assert len(stack) == 96 and set(stack) == {(stack[0][0], "f", 3)}


def test_clean_and_detailed_steps_take_turns():
    (told,), _ = record(RECORD / "train.py", 50, FAKE_CLOCK="1")
    phases = [phase for _, phase, _ in told.phases if phase != recording.SWITCH]
    assert phases == [0, 1, recording.WORKS] + [1, 2] * 3 + [1, recording.DONE], phases
    clean = next((b - a) for (a, phase, _), (b, _, _) in zip(told.phases, told.phases[1:]) if phase == recording.CLEAN)
    assert clean > 1e9, clean
    assert glob.glob("rec/*.enough")
    anchor = told.phases[-1][2]
    assert told.stack(anchor)[0][1:] == ("read", 11) and told.stack(anchor)[1][1] == "step", told.stack(anchor)
    on, works = ([(a, b) for (a, phase, _), (b, _, _) in zip(told.phases, told.phases[1:]) if phase == kind]
                 for kind in (recording.DETAIL, recording.WORKS))
    switched = [(a, b) for (a, _, _), (_, phase, _), _, (b, _, _) in zip(*(told.phases[i:] for i in range(4))) if phase == recording.DETAIL]
    ((start, end),) = works
    assert 12 * 20 <= len([w for w in told.works if start < w.start_ns < end]) and not [c for c in told.apis if start < c.start_ns < end]
    for start, end in on:
        launches = [c for c in told.apis if start < c.start_ns < end and told.name(c) == "cudaLaunchKernel"]
        assert 12 * 20 <= len(launches), len(launches)
    queued = {work.correlation for work in told.works}
    assert all(c.correlation in queued for c in told.apis if told.name(c) == "cudaLaunchKernel")
    assert not [c for c in told.apis if not any(start - 5e6 < c.start_ns < end for start, end in switched)]


def test_a_step_is_the_outer_loops_turn_though_the_inner_one_recurs_first():
    write("accumulates.py", "import time\nfrom gpu import launch, wait\ndef micro():\n    launch(b'gemm', 100.0, 0), wait(0)\n"
          "def read():\n    wait(0)\nstart = time.time()\nwhile time.time() - start < 5:\n    for i in range(4):\n        micro()\n"
          "        time.sleep(0.07)\n    read()\n")
    (told,), _ = record("accumulates.py")
    anchor = next(anchor for _, _, anchor in told.phases if anchor)
    assert told.stack(anchor)[0][1] == "read", told.stack(anchor)


def test_what_was_recorded_outlives_the_process():
    for ending, status in (("os._exit(3)", 3), ("os.kill(os.getpid(), 9)", -9), ("os.abort()", -6), ("sys.exit(4)", 4)):
        shutil.rmtree("rec", ignore_errors=True)
        write("ends.py", f"import os, sys, time\nfrom gpu import wait\nfor i in range(30): wait(0)\ntime.sleep(0.3)\n{ending}\n")
        (told,), _ = record("ends.py", status=status)
        assert len(told.calls) == 30 and bool(told.end) == (ending == "sys.exit(4)"), (ending, len(told.calls))


def test_a_fork_records_nothing_and_an_exec_its_own():
    write("forks.py", """import os, sys, time
from gpu import wait
wait(0)
child = os.fork()
if child == 0:
    for i in range(50): wait(0)
    os._exit(0)
os.waitpid(child, 0)
time.sleep(0.2)
if len(sys.argv) == 1: os.execv(sys.executable, [sys.executable, "forks.py", "again"])
""")
    told, _ = record("forks.py")
    assert [len(one.calls) for one in told] == [1, 1], [len(one.calls) for one in told]


def test_many_threads_at_once():
    write("threads.py", """import threading
from gpu import launch, wait
def work(stream):
    for i in range(400): launch(b"k", 1.0, stream), wait(stream)
threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
""")
    (told,), _ = record("threads.py")
    assert len(told.calls) == 2400 and len({call.thread for call in told.calls}) == 6
    assert {told.stack(call.stack)[0][1:] for call in told.calls} == {("work", 4)}


def test_a_daemon_thread_that_outlives_python_has_no_stack():
    write("daemon.py", """import sys, threading, time
from gpu import launch, wait
def work():
    launch(b"k", 0.4e6, 1), wait(1)
class Late:
    def __del__(self, sleep=time.sleep): sleep(1)  # when all that Python knows of other threads is freed
wait(0)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
sys.late = Late()
""")
    (told,), _ = record("daemon.py")
    assert [bool(call.stack) for call in told.calls] == [True, False] and told.end.stackless == 1, told.calls


def test_trouble_is_said_and_the_process_goes_on():
    write("one.py", "from gpu import wait\nwait(0)\nprint('done')\n")
    for env, why in (({"FAKE_CUPTI": "taken"}, "another profiler is attached"),
                     ({"FAKE_CUPTI": "rights"}, "profiling is not allowed here"),
                     ({"FAKE_CUPTI": "broken"}, "does not start with this driver"),
                     ({"FAKE_DRIVER": "12080"}, "of a newer CUDA than the driver"),
                     ({"SYNCL_RECORD_CUPTI": "/nowhere.so"}, "no CUPTI was found")):
        shutil.rmtree("rec", ignore_errors=True)
        (told,), out = record("one.py", **env)
        assert out == "done\n" and not told.calls
        holds(told.facts["trouble"], why)


def test_nowhere_to_write():
    write("one.py", "from gpu import wait\nwait(0)\nprint('done')\n")
    told, out = record("one.py", SYNCL_RECORD_DIR="/nonexistent/folder")
    assert out == "done\n" and not told
    told, out = record("one.py", SYNCL_RECORD_DIR="")
    assert out == "done\n" and not told


def another_version(version):
    """A library that makes the interpreter say it were of another version."""
    write("version.c", f'const char *Py_GetVersion(void) {{ return "{version}"; }}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "version.so", "version.c"], check=True)
    return os.path.abspath("version.so")


def test_a_python_that_was_never_tried_gives_no_stacks():
    write("one.py", "from gpu import wait\nfor i in range(5): wait(0)\nprint('done')\n")
    for version, why in (("3.99.0 (main)", "never tried"), ("2.7.18", "never tried")):
        shutil.rmtree("rec", ignore_errors=True)
        (told,), out = record("one.py", LD_PRELOAD=another_version(version))
        assert out == "done\n" and len(told.calls) == 5 and not told.stacks
        holds(told.facts["stacks"], why)


def test_a_free_threaded_python_is_refused():
    write("one.py", "from gpu import wait\nwait(0)\nprint('done')\n")
    (told,), out = record("one.py", LD_PRELOAD=another_version("3.13.0 experimental free-threading build (main)"))
    assert out == "done\n" and not told.calls
    holds(told.facts["trouble"], "free-threaded")


def test_a_layout_that_is_not_what_it_seems_switches_stacks_off():
    write("one.py", "from gpu import wait\ndef f():\n    for i in range(5): wait(0)\nf()\nprint('done')\n")
    here = "%d.%d" % sys.version_info[:2]
    for version in ("3.8.0", "3.11.0", "3.12.0", "3.13.0", "3.14.0"):
        if version.startswith(here):
            continue
        shutil.rmtree("rec", ignore_errors=True)
        (told,), out = record("one.py", LD_PRELOAD=another_version(version))
        assert out == "done\n" and len(told.calls) == 5 and told.end.stackless == 5, (version, told.stacks)


main(sys.modules[__name__])
