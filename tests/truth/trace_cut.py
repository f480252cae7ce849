"""Cuts a trace of torch.profiler to what syncl reads of it, so that it can be kept.

    python3 tests/truth/trace_cut.py TRACE.json[.gz] OUT.json.gz

What stays: the events of the host's CUDA calls, the GPU's work, operators, Python functions, steps and regions, in
their order, each with its times, thread, stream, correlation, device and bytes. Kernels' names are shortened, but
different ones stay different. Times count from the trace's first event.
"""
import gzip
import json
import os
import re
import sys

KEPT = {"cuda_runtime", "cuda_driver", "kernel", "gpu_memcpy", "gpu_memset", "cpu_op", "python_function",
        "user_annotation", "overhead"}
ARGUMENTS = ("correlation", "stream", "device", "bytes")
HEAD = ("schemaVersion", "deviceProperties", "distributedInfo")
SHORT = 24


def shortened(name, names):
    """A kernel's own name without its types, its library's where that tells what it does, and a number."""
    if name not in names:
        path = re.sub(r"<.*|\(.*", "", name.replace("(anonymous namespace)::", "").removeprefix("void "))
        plain = path.split("::")[-1]
        names[name] = f"{'cub::' * ('cub::' in path)}{plain[:SHORT]}.{len(names)}"
    return names[name]


def cut(trace):
    events = [e for e in trace["traceEvents"] if e.get("ph") == "X" and e.get("cat") in KEPT]
    origin = int(min((e["ts"] for e in events), default=0))
    names, kept = {}, []
    for event in events:
        arguments = {key: event["args"][key] for key in ARGUMENTS if key in event.get("args", {})}
        name = shortened(event["name"], names) if event["cat"] == "kernel" else event["name"]
        kept.append({"ph": "X", "cat": event["cat"], "name": name, "pid": event["pid"], "tid": event["tid"],
                     "ts": round(event["ts"] - origin, 3), "dur": event["dur"], "args": arguments})
    head = {key: trace.get(key) for key in HEAD if key in trace or key == HEAD[0]}
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in kept)
    return json.dumps(head)[:-1] + f', "traceEvents": [\n{lines}\n]}}\n'


def write(text, path):
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(text.encode())


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return json.load(file)


def cut_file(path):
    """PATH.json becomes PATH.json.gz."""
    write(cut(read(path)), path + ".gz")
    os.unlink(path)


if __name__ == "__main__":
    write(cut(read(sys.argv[1])), sys.argv[2])
