"""Which cores a measured loop gets, and how its threads stay there (trace_loops.py)."""
import os
import threading
import time


def siblings_of(cpu):
    try:
        with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list") as file:
            ends = [part.split("-") for part in file.read().strip().split(",")]
    except OSError:
        return {cpu}
    return {one for end in ends for one in range(int(end[0]), int(end[-1]) + 1)}


def turns_done():
    """How much Python one thread does in some milliseconds."""
    begin = now = time.perf_counter()
    turns = number = 0
    while now < begin + 0.004:
        for _ in range(200):
            number = (number * 1103515245 + 12345) % 2147483647
        turns += 200
        now = time.perf_counter()
    return turns / (now - begin)


def speeds_of(cpus):
    """{cpu: what a thread on it does at its second worst}: other tenants of the host slow some of them down."""
    counts, before = {cpu: [] for cpu in cpus}, os.sched_getaffinity(0)
    for _ in range(8):
        for cpu in cpus:
            os.sched_setaffinity(0, {cpu})
            counts[cpu].append(turns_done())
    os.sched_setaffinity(0, before)
    return {cpu: sorted(counts[cpu])[1] for cpu in cpus}


def cores_of(cpus):
    groups = {tuple(sorted(siblings_of(cpu) & set(cpus))) for cpu in cpus}
    if all(len(group) == 1 for group in groups):  # nothing is known: neighbours may be siblings
        groups = {tuple(cpu for cpu in cpus if cpu // 2 == half) for half in {cpu // 2 for cpu in cpus}}
    return sorted(groups)


def cores_apart(cpus, rank=0, ranks=1):
    """(of the main thread, of the backward pass's, of all others): the quickest two that share no core's caches. The
    first of all is left to what cuts the loop before."""
    left, *groups = cores_of(cpus)
    if len(groups) <= 2 * ranks:
        return None
    speeds = speeds_of(sorted(set(cpus) - set(left))) if ranks == 1 else dict.fromkeys(cpus, 1)
    groups = sorted(groups, key=lambda group: (max(speeds[cpu] for cpu in group), group), reverse=True)
    chosen = [max(group, key=speeds.get) for group in groups[2 * rank:2 * rank + 2]]
    others = [*left, *(cpu for group in groups[2 * ranks:] for cpu in group)]
    return {chosen[0]}, {chosen[1]}, set(others)


def keep_awake(place):
    """Something to do for a core at the lowest priority there is: one that falls asleep takes long to wake in a virtual
    machine, now more and now less. Ends with its parent."""
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        os.sched_setaffinity(0, place)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while os.getppid() == parent:
            for _ in range(100000):
                pass
    finally:
        os._exit(0)


def name_of(task):
    with open(f"/proc/self/task/{task}/comm") as file:
        return file.read().strip()


def keep_apart(places):
    """The main thread and the one of the backward pass on cores of their own, every other one on the rest."""
    for task in os.listdir("/proc/self/task") if places else ():
        try:
            main = int(task) == threading.main_thread().native_id
            which = 0 if main else 1 if name_of(task).startswith("pt_autograd") else 2
            os.sched_setaffinity(int(task), places[which])
        except OSError:
            pass  # it has ended
